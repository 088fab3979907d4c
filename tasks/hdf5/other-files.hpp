// SPDX-License-Identifier: LGPL-3.0-or-later
// Files that an HDF5 file leads to: where they are looked for, and the folder that they must lie in where the run is
// confined to one.
#pragma once
#include "base/error.hpp"
#include <hdf5.h>
#include <string>

namespace sino::hdf5 {

// A file that is outside of the folder.
struct Outside : Error {
  using Error::Error;
};

// From now on, where a folder is given, this process opens nothing that is outside of it: external links, which the
// library would follow by itself, are followed by us.
void keep_within (const std::string &folder);
// Throws Outside for a path that leads out; "" is none.
void check_within (const std::string &path);
// What was refused to the library, which only says that a link leads nowhere; once. "": nothing was.
std::string take_refusal ();

// The path of the file that an object lies in, which is another one behind an external link.
std::string file_path (hid_t object);

// The folder of a file's path, with the slash at its end.
std::string folder_of_file (const std::string &path);
std::string join_path (const std::string &folder, const std::string &name);
// Where HDF5 looks for a file that the one at `home` names: its H5F_prefix_open_file (). `variable`: of the
// environment, with folders. "" where there is none.
std::string find_file (const std::string &name, const std::string &home, const char *variable);

} // namespace sino::hdf5
