// SPDX-License-Identifier: LGPL-3.0-or-later
// The problem that the kernels solve, as the family's parameters, and the arguments of the kernels.
#pragma once
#include "device/opencl.hpp"
#include "families/family.hpp"
#include "kernels/cone-back-project/cone-back-project.hpp"

namespace sino::cone_back_project {

families::Problem problem_of (const Job &job);

// KernelView and Frame have the layout of View and Frame in kernels/cone-back-project/voxels.cl.
struct KernelView {
  cl_float4 column, row, depth;
  cl_float weight;
  cl_int first_slice, end_slice; // slices that take the view
  cl_float seen;
};
struct Frame {
  cl_int width, height, depth, first_z;
  cl_float middle_x, middle_y, middle_z, radius, axis_x, axis_y;
  cl_int columns, rows, first_column, first_row;
  cl_float grid;
  cl_int begin;
};

std::vector<KernelView> kernel_views (const Job &job);
// Whether slices take only some of the projections: those of their turn of a helix.
bool has_turns (const Job &job);
// `some`: those of the slices that a launch computes.
Frame frame_of (const Job &job, Interval slices, Interval some, Interval rows);

} // namespace sino::cone_back_project
