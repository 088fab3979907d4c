// SPDX-License-Identifier: LGPL-3.0-or-later
// Sources of the OpenCL kernels, as they were when the module was built.
#pragma once

namespace sino::back_project {

extern const char reference_source[];

} // namespace sino::back_project
