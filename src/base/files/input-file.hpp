// SPDX-License-Identifier: LGPL-3.0-or-later
// Files that people name to be read: opened so that nobody waits, and known again when they are opened again.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sino {

// What tells a file from others, and its content from what it had before.
struct FileStamp {
  uint64_t device = 0, inode = 0;
  int64_t size = 0;
  int64_t seconds = 0, nanoseconds = 0; // time of its last change

  bool same_file (const FileStamp &o) const { return device == o.device && inode == o.inode; }
  friend bool operator== (const FileStamp &, const FileStamp &) = default;
};

// Opens a regular file to read; the caller closes the descriptor. Throws on everything else: a pipe would make the
// caller wait, a device may never end; and on what is outside of the folder that the run is confined to. `what` the
// file is, for messages; "" leaves that out.
SINO_VISIBLE int open_input (const char *what, const std::string &path);

// When an open file was created, in nanoseconds; 0 where the file system does not tell.
SINO_VISIBLE int64_t birth_of (int descriptor);

// The stamp of an open file; of what a path leads to, false when that is nothing.
SINO_VISIBLE FileStamp stamp_of (int descriptor);
SINO_VISIBLE bool find_stamp (const std::string &path, FileStamp &stamp);
// Stamps of the files that the words name; words that are no paths are left out.
SINO_VISIBLE std::vector<FileStamp> find_stamps (std::initializer_list<std::string> words);

// The content of a regular file; throws when it has more than `most` bytes, whatever else it holds.
SINO_VISIBLE std::string read_input (const char *what, const std::string &path, size_t most);

} // namespace sino
