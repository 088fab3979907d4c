// SPDX-License-Identifier: LGPL-3.0-or-later
// Folders in the user's cache: files that can be made again, of which those go that were not used for longest.
// Processes may share a folder.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <string>
#include <string_view>

namespace sino {

// Makes a file the one that was used last.
SINO_VISIBLE void mark_used (const std::string &path) noexcept;

// Removes files from a folder that is larger than `most` bytes until three quarters of these are left. Files with the
// extension `staying` neither go nor count.
SINO_VISIBLE void bound_folder (const std::string &folder, size_t most, std::string_view staying = {});

} // namespace sino
