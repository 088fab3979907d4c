// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/completion/words.hpp"
#include "base/files/paths.hpp"
#include <algorithm>
#include <filesystem>
#include <glib.h>

namespace sino::cli {

Words going_on (const Words &candidates, const std::string &begun, const std::string &before)
{
  Words found;
  for (const auto &candidate : candidates)
    if (candidate.starts_with (begun))
      found.push_back (before + candidate);
  return found;
}

Words files (const std::string &begun, const Words &suffixes)
{
  const auto name_at = begun.rfind ('/') + 1; // 0 if there is none
  const auto folder = begun.substr (0, name_at), name = begun.substr (name_at);
  std::string place = folder.empty () ? "." : folder;
  if (place.starts_with ("~/"))
    place.replace (0, 1, g_get_home_dir ());
  Words found;
  for (const auto &word : names_in (place).list) {
    if (!word.starts_with (name) || (word.starts_with ('.') && name.empty ()))
      continue;
    std::error_code unknown;
    const bool is_folder = std::filesystem::is_directory (std::filesystem::path (place) / word, unknown);
    const auto fits = [&word] (const std::string &suffix) { return word.ends_with (suffix); };
    if (is_folder || suffixes.empty () || std::ranges::any_of (suffixes, fits))
      found.push_back (folder + word + (is_folder ? "/" : ""));
  }
  std::ranges::sort (found);
  return found;
}

} // namespace sino::cli
