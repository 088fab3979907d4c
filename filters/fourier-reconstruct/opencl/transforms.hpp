// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/fourier-reconstruct/opencl/line-transforms.hpp"

namespace sino::fourier_reconstruct {

// Of the kind that the batches are made for.
std::unique_ptr<LineTransforms> line_transforms (const OpenclDevice &device, const OpenclPlan &plan,
                                                 const Batches &batches, Allotment &allotment);

} // namespace sino::fourier_reconstruct
