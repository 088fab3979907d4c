// SPDX-License-Identifier: LGPL-3.0-or-later
// File names and paths, and system errors.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

// "a/b" of "a/b/c.tif", "." of "c.tif".
SINO_VISIBLE std::string folder_of (const std::string &path);
// "c.tif" of "a/b/c.tif".
SINO_VISIBLE std::string file_name (const std::string &path);

// Names of the entries of a folder, unordered. (std::filesystem's iterators end the process if memory is short.)
struct Names {
  std::vector<std::string> list;
  int error = 0; // errno of a failed read, or 0
};
SINO_VISIBLE Names names_in (const std::string &folder);

// Brings names that were made or changed in a folder to the disk. Does nothing on file systems that cannot do it.
SINO_VISIBLE void sync_folder (const std::string &folder);

// Renames, but fails with EEXIST instead of replacing a file. Returns 0, or -1 and errno.
int rename_new (const char *from, const char *to);

// Removes a folder and its content as far as possible. Returns whether nothing is left.
bool remove_tree (const std::string &path) noexcept;

// Throws Error with the code that fits `number` (an errno): "cannot write 'a/b.tif': No space left on
// device".
[[noreturn]] SINO_VISIBLE void fail_file (const char *what, const std::string &path, int number);

} // namespace sino
