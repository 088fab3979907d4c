// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// Name of an OpenCL status.
const char *opencl_error_name (int code);

} // namespace sino
