// SPDX-License-Identifier: LGPL-3.0-or-later
// OpenCL programs that were built before, as files in the user's cache folder ($XDG_CACHE_HOME/sinograph/programs).
// What is damaged counts as absent, and what cannot be kept is not: nothing here fails. Processes may share the folder.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

using ProgramBinary = std::vector<unsigned char>;

SINO_VISIBLE std::string program_folder ();

// A name for all that a binary depends on.
SINO_VISIBLE std::string program_key (const std::vector<std::string> &parts);

// Empty when there is none.
SINO_VISIBLE ProgramBinary load_program (const std::string &key);
// Keeps a program. When the folder is larger than `most` bytes, the programs that were not used for longest go.
SINO_VISIBLE void keep_program (const std::string &key, const ProgramBinary &binary, size_t most = size_t{512} << 20);

} // namespace sino
