// SPDX-License-Identifier: LGPL-3.0-or-later
// Input files named by users: opened without waiting, and recognised when they are opened again.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sino {

// Identity of a file and of its content.
struct FileStamp {
  uint64_t device = 0, inode = 0;
  int64_t size = 0;
  int64_t seconds = 0, nanoseconds = 0; // time of its last change

  bool same_file (const FileStamp &o) const { return device == o.device && inode == o.inode; }
  friend bool operator== (const FileStamp &, const FileStamp &) = default;
};

// Opens a regular file for reading; the caller closes the descriptor. Throws on anything else (a pipe would make the
// caller wait, a device may never end) and on files outside the folder that the run is confined to. `what`: kind of
// file, for messages; may be "".
SINO_VISIBLE int open_input (const char *what, const std::string &path);

// Time of creation of an open file, in nanoseconds; 0 if the file system does not record it.
SINO_VISIBLE int64_t birth_of (int descriptor);

// stamp_of (): the stamp of an open file. find_stamp (): the stamp of the file at a path; false if there is none.
SINO_VISIBLE FileStamp stamp_of (int descriptor);
SINO_VISIBLE bool find_stamp (const std::string &path, FileStamp &stamp);
// Stamps of the files with these paths; words that are not paths of files are skipped.
SINO_VISIBLE std::vector<FileStamp> find_stamps (std::initializer_list<std::string> words);

// The content of a regular file; throws if it has more than `most` bytes.
SINO_VISIBLE std::string read_input (const char *what, const std::string &path, size_t most);

} // namespace sino
