// SPDX-License-Identifier: LGPL-3.0-or-later
// Folders in the user's cache with files that can be made again; the least recently used are removed first. Processes
// may share a folder.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <string>
#include <string_view>

namespace sino {

// Marks a file as the most recently used.
SINO_VISIBLE void mark_used (const std::string &path) noexcept;

// If a folder is larger than `most` bytes, removes the least recently used files until it has three quarters of that
// size. Files with the extension `staying` are neither removed nor counted.
SINO_VISIBLE void bound_folder (const std::string &folder, size_t most, std::string_view staying = {});

} // namespace sino
