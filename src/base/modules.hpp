// SPDX-License-Identifier: LGPL-3.0-or-later
// Where shared objects are looked for that the library loads, and how it knows one without loading it.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

// SINOGRAPH_PLUGIN_PATH's folders, then the one of the installation.
SINO_VISIBLE std::vector<std::string> module_folders ();

// Files of a name below those folders, "fft/sinograph-fft-fftw.so", in their order, as far as they are there.
SINO_VISIBLE std::vector<std::string> module_files (const std::string &name);

// A program of this name in one of those folders, or in `first`, which comes before them. `what`: "which reads HDF5
// files", for the error where it is missing.
SINO_VISIBLE std::string find_program (const std::string &name, const std::string &what, const std::string &first = {});

// Why a file must not be loaded as a shared object, or "": the loader would wait for a pipe, and the parts that are
// missing of a truncated file end the process when they are touched.
SINO_VISIBLE std::string module_fault (const std::string &path);

// What follows `mark` in a file, up to the end of its line; "" when the file has no such mark.
SINO_VISIBLE std::string module_mark (const std::string &path, const std::string &mark);

} // namespace sino
