// SPDX-License-Identifier: LGPL-3.0-or-later
// Other files that an HDF5 file refers to: their search paths, and the folder that they must lie in if the run is
// confined.
#pragma once
#include "base/error.hpp"
#include <hdf5.h>
#include <string>

namespace sino::hdf5 {

// A file outside the folder.
struct Outside : Error {
  using Error::Error;
};

// Makes this process refuse to open any file outside the folder, if one is given. External links are then followed by
// this code, not by the library.
void keep_within (const std::string &folder);
// Throws Outside for a path outside the folder; "" is ignored.
void check_within (const std::string &path);
// Returns the error of the last refused file and forgets it; "" if there is none. HDF5 itself reports only a broken
// link.
std::string take_refusal ();

// The path of the file that contains an object; after an external link, this is another file.
std::string file_path (hid_t object);

// The folder of a file's path, with a slash at its end.
std::string folder_of_file (const std::string &path);
std::string join_path (const std::string &folder, const std::string &name);
// Path at which HDF5 finds a file that the file at `home` refers to, as by H5F_prefix_open_file (). `variable`:
// environment variable with folders. "" if there is none.
std::string find_file (const std::string &name, const std::string &home, const char *variable);

} // namespace sino::hdf5
