// SPDX-License-Identifier: LGPL-3.0-or-later
// Sources of the OpenCL kernels, embedded when the module is built.
#pragma once
#include <string>

namespace sino::opencl {

struct OpenclFile {
  const char *name, *text;
};

extern const OpenclFile opencl_files[];
extern const size_t opencl_file_count;

// A file in the folder of kernels, like "back-project/reference.cl". If SINOGRAPH_KERNEL_PATH is set, a file in that
// folder replaces the built-in one (to work on a kernel without building). Throws Error if there is none.
std::string kernel_file (const std::string &name);

// The file with the files that it includes, which are in the same folder. #line keeps line numbers, so that build logs
// refer to the original files.
std::string opencl_source (const std::string &name);

} // namespace sino::opencl
