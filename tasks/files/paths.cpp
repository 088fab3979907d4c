// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/paths.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include "base/pointers.hpp"
#include "base/shown.hpp"
#include "formats/formats.hpp"
#include "formats/name-groups.hpp"
#include "formats/name-words.hpp"
#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <filesystem>
#include <glob.h>
#include <memory>
#include <optional>

namespace sino::files {

using namespace formats;

static std::vector<std::string> list_folder (const std::string &path)
{
  check_confined (path);
  const std::unique_ptr<DIR, Deleter<closedir>> folder (opendir (path.c_str ()));
  if (!folder)
    fail_file ("cannot open", path, errno);
  const std::string prefix = path.ends_with ('/') ? path : path + '/';
  std::vector<std::string> list;
  while (const auto *entry = readdir (folder.get ())) {
    step_unless_cancelled ();
    if (std::string name = entry->d_name; !name.starts_with ('.') && entry->d_type != DT_DIR)
      list.push_back (prefix + name);
  }
  return list;
}

// Throws if the names belong to several groups, or their order is not that of the images.
static void check_one_group (const std::string &folder, const std::vector<std::string> &images)
{
  std::vector<std::string> names;
  for (const auto &path : images)
    names.push_back (file_name (path));
  const auto groups = group_names (names);
  const auto &largest = *std::ranges::max_element (groups, {}, [] (const auto &group) { return group.names.size (); });
  const auto is_calibration = [] (const auto &group) {
    const auto role = meaning_of (words_of (group.names[0])).role;
    return role == Role::darks || role == Role::flats;
  };
  // Files that each have an individual name are sorted by it, unless some are darks or flats.
  const bool plain = largest.names.size () == 1 && std::ranges::none_of (groups, is_calibration);
  if (groups.size () > 1 && !plain)
    fail (SINO_ERROR_BAD_FILE,
          "'%s' contains %zu groups of files, %s: give the pattern of one, such as '%s/%s', or '%s/*' for all, sorted "
          "by name",
          folder.c_str (), groups.size (),
          join (std::span (groups).first (std::min<size_t> (groups.size (), 4)), ", ",
                [] (const auto &group) {
                  return text ("%s (%zu)", in_quotes (group.pattern).c_str (), group.names.size ());
                })
              .c_str (),
          folder.c_str (), largest.pattern.c_str (), folder.c_str ());
  if (!largest.doubt.empty ())
    fail (SINO_ERROR_BAD_FILE, "'%s': %s: give '%s/*' to take the files sorted by name", folder.c_str (),
          largest.doubt.c_str (), folder.c_str ());
}

// Files of the first format that allows several files and has some here.
static std::vector<std::string> list_images (const std::string &path)
{
  const auto names = list_folder (path);
  std::vector<std::string> suffixes, images;
  for (const auto *format : registered<ReadingFormat> ())
    if (format->sequences) {
      suffixes.insert (suffixes.end (), format->suffixes.begin (), format->suffixes.end ());
      std::ranges::copy_if (names, std::back_inserter (images),
                            [&] (const auto &name) { return has_suffix (name, format->suffixes); });
      if (!images.empty ()) {
        check_one_group (path, images);
        return images;
      }
    }
  fail (SINO_ERROR_BAD_FILE, "'%s' has no %s files: give a pattern like %s/*.img for other names", path.c_str (),
        join (suffixes, ", ", {}, " or ").c_str (), path.c_str ());
}

static std::vector<std::string> match (const std::string &pattern)
{
  glob_t found{};
  std::vector<std::string> list;
  if (glob (pattern.c_str (), GLOB_NOSORT, nullptr, &found) == 0)
    list.assign (found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree (&found);
  return list;
}

// A path with number marks in the file name: its folder, and its name.
struct Numbered {
  std::string folder, name;
};

static std::optional<Numbered> numbered (const std::string &path)
{
  const auto begin = path.rfind ('/') + 1;
  Numbered parts{unescaped_pattern (path.substr (0, begin)), path.substr (begin)};
  if (parts.name.find_first_of ("*?") != path.npos || !is_number_pattern (parts.name))
    return {};
  return parts;
}

static std::vector<std::string> match (const Numbered &pattern)
{
  auto list = list_folder (pattern.folder.empty () ? "./" : pattern.folder);
  for (auto &name : list)
    name.erase (0, pattern.folder.empty () ? 2 : 0);
  std::erase_if (list, [&] (const auto &name) { return !matches_pattern (pattern.name, file_name (name)); });
  return list;
}

bool is_sequence (const std::string &path)
{
  std::error_code ignored;
  const auto status = std::filesystem::status (path, ignored);
  if (std::filesystem::exists (status))
    return std::filesystem::is_directory (status);
  return path.find_first_of ("*?[") != path.npos || numbered (path);
}

std::vector<std::string> find_images (const std::string &path)
{
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory (path, ignored);
  const auto pattern = numbered (path);
  auto list = folder ? list_images (path) : pattern ? match (*pattern) : match (path);
  if (list.empty ())
    fail (SINO_ERROR_BAD_FILE, "no file matches '%s'", path.c_str ());
  std::ranges::sort (list, natural_less);
  return list;
}

} // namespace sino::files
