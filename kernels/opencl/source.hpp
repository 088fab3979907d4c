// SPDX-License-Identifier: LGPL-3.0-or-later
// Sources of the OpenCL kernels, as they were when the module was built.
#pragma once
#include <iterator>
#include <string>

namespace sino::opencl {

struct OpenclFile {
  const char *name, *text;
};

extern const OpenclFile opencl_files[];
extern const size_t opencl_file_count;

// A file of the folder of kernels, "back-project/reference.cl". One in the folder SINOGRAPH_KERNEL_PATH, where it is
// set, goes before the built-in one (to work on a kernel without building). Throws Error when there is none.
std::string kernel_file (const std::string &name);

// The same with the files that it includes, which lie in the same folder. #line keeps the numbers of lines, so that a
// build log speaks of them.
std::string opencl_source (const std::string &name);

} // namespace sino::opencl
