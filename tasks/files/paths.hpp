// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace sino::files {

// Whether a path is a folder or a pattern: with * and ?, or with numbers as in `write`, p_%04i.tif.
bool is_sequence (const std::string &path);

// The files of a stack, in natural order: those in a folder with the suffixes of the first format that allows several
// files, or those that match a pattern. Throws if there are none.
std::vector<std::string> find_images (const std::string &path);

} // namespace sino::files
