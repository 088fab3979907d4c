// SPDX-License-Identifier: LGPL-3.0-or-later
// How kernels of images transform rows and columns with fft/line.cl and fft/filter.cl.
#pragma once
#include "device/line-plan.hpp"
#include "families/family.hpp"

namespace sino::opencl {

struct Lines {
  LinePlan plan; // with the rows of a group
  int columns;   // of a group
  int together;  // columns side by side between rows and columns
  bool powers;   // factors of transforms are computed

  int beside () const; // floats of local memory from a column to the next
  std::string options () const;
};

// Parameters of a kernel that the functions below read.
std::vector<families::Parameter> lines_parameters ();

// None if the length has no plan, or a line does not fit in the local memory of a group.
std::optional<Lines> lines_for (int64_t size, const OpenclFacts &facts, const families::Setting &setting);

} // namespace sino::opencl
