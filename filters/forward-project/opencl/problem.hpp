// SPDX-License-Identifier: LGPL-3.0-or-later
// The problem that the kernels solve, as the family's parameters, their launch sizes, and their arguments.
#pragma once
#include "device/opencl.hpp"
#include "families/family.hpp"
#include "kernels/forward-project/rays.hpp"
#include <span>

namespace sino::forward_project {

struct Job {
  Volume volume;
  std::span<const Detector> detectors; // of each projection

  int64_t columns () const { return detectors[0].columns; }
  size_t slice () const { return static_cast<size_t> (volume.columns * volume.lines); } // voxels of a slice
  // Rays of a projection with so many rows.
  size_t rays (size_t view, int64_t rows) const;
};

families::Problem problem_of (const Job &job);
families::Shape shape_of (const families::Setting &setting, const families::Problem &problem);
std::string options (const families::Setting &, const families::Problem &problem);
std::string too_many_planes (const families::Setting &, const families::Problem &problem, const OpenclFacts &);

// KernelView and Frame have the layout of View and Frame in kernels/forward-project/rays.cl.
struct KernelView {
  cl_double4 source, corner, column, row;
  cl_long first;
  cl_int parallel, across, down, unused[3];
};
struct Frame {
  cl_double first_x, first_y, first_z, size, scale;
  cl_int width, height, begin, end, columns, rows, first_row, count;
};

// `first`: place of the first ray of the view among those of its group.
KernelView kernel_view (const Detector &detector, int64_t first);

// The planes z to z + 1 with z in `planes`, and rows of `count` projections.
Frame frame_of (const Volume &volume, Interval planes, int64_t columns, Interval rows, int64_t count);

// Views of a group; the sums of its rays lie one after the other, with `rows` rows of each view.
std::vector<KernelView> kernel_views (const Job &job, Interval group, int64_t rows);

} // namespace sino::forward_project
