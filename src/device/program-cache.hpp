// SPDX-License-Identifier: LGPL-3.0-or-later
// Cache of built OpenCL programs, as files in the user's cache folder ($XDG_CACHE_HOME/sinograph/programs). A damaged
// file counts as absent, and a failed write is ignored: no function here fails. Processes may share the folder.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

using ProgramBinary = std::vector<unsigned char>;

SINO_VISIBLE std::string program_folder ();

// A file name that depends on everything that determines a binary.
SINO_VISIBLE std::string program_key (const std::vector<std::string> &parts);

// Empty if there is none.
SINO_VISIBLE ProgramBinary load_program (const std::string &key);
// Saves a program. If the folder is larger than `most` bytes, removes the least recently used programs.
SINO_VISIBLE void keep_program (const std::string &key, const ProgramBinary &binary, size_t most = size_t{512} << 20);

} // namespace sino
