// SPDX-License-Identifier: LGPL-3.0-or-later
// Names of files, and what the system says of them.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

// "a/b" of "a/b/c.tif", "." of "c.tif".
SINO_VISIBLE std::string folder_of (const std::string &path);
// "c.tif" of "a/b/c.tif".
SINO_VISIBLE std::string file_name (const std::string &path);

// Names of what is in a folder, in no order. std::filesystem's iterators end the process where memory is short.
struct Names {
  std::vector<std::string> list;
  int error = 0; // errno of what could not be read, or 0
};
SINO_VISIBLE Names names_in (const std::string &folder);

// Brings what was renamed or made in a folder to the disk. File systems that cannot do it are left alone.
SINO_VISIBLE void sync_folder (const std::string &folder);

// Renames, and fails with EEXIST rather than replace a file: 0, or -1 and errno.
int rename_new (const char *from, const char *to);

// Removes a folder with all that is in it, as far as that is possible. Whether nothing is left.
bool remove_tree (const std::string &path) noexcept;

// Throws Error with the code that fits `number` (an errno): "cannot write 'a/b.tif': No space left on
// device".
[[noreturn]] SINO_VISIBLE void fail_file (const char *what, const std::string &path, int number);

} // namespace sino
