// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// What a status of OpenCL means, in words.
const char *opencl_error_name (int code);

} // namespace sino
