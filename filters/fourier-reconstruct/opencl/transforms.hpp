// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/fourier-reconstruct/opencl/line-transforms.hpp"

namespace sino::fourier_reconstruct {

// Transforms of the kind in `batches`.
std::unique_ptr<LineTransforms> line_transforms (const OpenclDevice &device, const OpenclPlan &plan,
                                                 const Batches &batches, Allotment &allotment);

} // namespace sino::fourier_reconstruct
