// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace sino::files {

// Whether a path is a folder, or a pattern: with * and ?, or with numbers as `write` has one, p_%04i.tif.
bool is_sequence (const std::string &path);

// The files of a folder that make a stack, by the suffixes of the first format that takes several and is there; or the
// files that a pattern matches. In natural order. Throws when there are none.
std::vector<std::string> find_images (const std::string &path);

} // namespace sino::files
