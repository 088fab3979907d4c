// SPDX-License-Identifier: LGPL-3.0-or-later
// The libraries that OpenCL devices need: the loader of drivers (libOpenCL) and clFFT. Only one module is linked to
// them, opencl/sinograph-opencl.so, and it is loaded when OpenCL is first asked for. A machine without it, or without
// these libraries, has no OpenCL devices.
#pragma once
#include "base/visibility.hpp"
#include <string>

namespace sino {

// The reason why the libraries cannot be used, and what to install; "" if they are loaded. It stays as it was at the
// first call.
SINO_VISIBLE const std::string &why_no_opencl ();

// A function of these libraries. Throws SINO_ERROR_DEVICE if it is missing.
SINO_VISIBLE void *opencl_function (const char *name);

} // namespace sino
