// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/description.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/formats.hpp"
#include "glue/registry.hpp"
#include <algorithm>
#include <fcntl.h>
#include <filesystem>

namespace sino::scan {

namespace {

using namespace formats;

bool is_description (const ReadingFormat &format, const std::string &path)
{
  std::error_code code;
  return has_suffix (path, {format.suffixes[0]}) && std::filesystem::is_regular_file (path, code) &&
         (!format.recognised || format.recognised (Descriptor (path, O_RDONLY)));
}

} // namespace

std::string description_in (const std::string &folder)
{
  Registry::get ().names (); // loads the modules, which add formats
  check_confined (folder);
  auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder, names.error);
  std::ranges::sort (names.list);
  std::vector<std::string> found;
  for (const auto &name : names.list)
    if (!name.starts_with ('.') && std::ranges::any_of (registered<ReadingFormat> (), [&] (const auto *format) {
          return format->describes && is_description (*format, text ("%s/%s", folder.c_str (), name.c_str ()));
        }))
      found.push_back (name);
  if (found.size () > 1)
    fail (SINO_ERROR_BAD_FILE, "'%s' has %zu files that describe a scan, %s: give one of them instead of the folder",
          folder.c_str (), found.size (), join (found, ", ", in_quotes, " and ").c_str ());
  return found.empty () ? std::string () : folder + "/" + found[0];
}

} // namespace sino::scan
