// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the modules (shared objects) that the library loads, and recognises them without loading.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

// A path that is given relative to the folder of this library: an installation can be moved as a whole.
SINO_VISIBLE std::string installed_path (const std::string &relative);

// SINOGRAPH_PLUGIN_PATH's folders, then the one of the installation.
SINO_VISIBLE std::vector<std::string> module_folders ();

// Existing files with a name, such as "fft/sinograph-fft-fftw.so", below those folders, in the order of the folders.
SINO_VISIBLE std::vector<std::string> module_files (const std::string &name);

// Finds a program by name in the folder `first` or in module_folders (). `what`: "which reads HDF5 files", for the
// error if it is missing.
SINO_VISIBLE std::string find_program (const std::string &name, const std::string &what, const std::string &first = {});

// The reason why a file must not be loaded as a shared object, or "". The loader would wait for a pipe, and accessing
// the missing part of a truncated file would end the process.
SINO_VISIBLE std::string module_fault (const std::string &path);

// The text after `mark` in a file, up to the end of its line; "" if the file has no such mark.
SINO_VISIBLE std::string module_mark (const std::string &path, const std::string &mark);

} // namespace sino
