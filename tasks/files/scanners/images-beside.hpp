// SPDX-License-Identifier: LGPL-3.0-or-later
// The images that a scanner's description names: numbered files in its folder.
#pragma once
#include "formats/formats.hpp"
#include <map>
#include <span>

namespace sino::files {

using namespace formats;

// Paths of the files in a folder whose names are a prefix, digits (that many, if not 0) and one of the suffixes, by
// their numbers. Letters are compared without case, as the computers of scanners do. Throws if two have one number.
std::map<int64_t, std::string> numbered_files (const std::string &folder, const std::string &prefix, int64_t digits,
                                               const std::vector<std::string> &suffixes);

// The entry of a folder with this name in letters of any case; "" if there is none.
std::string entry_named (const std::string &folder, const std::string &name);

// The paths of the images `first`, first + 1 ... Throws if one is missing. `title`: the description; `pattern`: the
// name of an image, for messages.
std::vector<std::string> images_from (const std::map<int64_t, std::string> &files, int64_t first, int64_t count,
                                      const std::string &title, const std::string &pattern);

// Opens them as the stack of a scan, which must have this size. `title`: the description that states it.
std::shared_ptr<const Stack> open_images_of (const std::string &title, const std::vector<std::string> &paths,
                                             int64_t lines, int64_t columns, std::vector<std::string> &messages);

} // namespace sino::files
