// SPDX-License-Identifier: LGPL-3.0-or-later
// What the kernels are asked: settings, lanes, precision and interpolation, on scans of several sizes.
#pragma once
#include "tests/filters/back-project/family.hpp"
#include <functional>

namespace sino::test {

struct Case {
  families::Setting setting;
  int lanes;
  bool half;
  back_project::Interpolation interpolation;
  bool mask;
  int64_t width, projections, slices;
  int region; // 0: across the circle's border; 1: at the lower end of the slice; 2: narrow and high

  families::Problem problem () const { return test::problem (lanes, half, interpolation, mask, width, projections); }
  // Neither place nor size fits any tile.
  back_project::Roi roi () const;
};

// What cases are taken from.
struct Plan {
  std::vector<int64_t> widths, projections, slices;
  std::map<std::string, int> unless; // values of parameters that samples do not vary
  std::function<bool (const Case &)> allowed;
};

// Every pair of values of two dimensions, the kernel's parameters among them, that goes together.
std::vector<Case> sample_cases (const families::Kernel &kernel, const Plan &plan);

// Cases like sample_cases, of several kernels together, each with its usual setting: few programs to build.
std::vector<Case> quick_cases (const std::vector<families::Setting> &settings, const Plan &plan);

// Usual settings with all lanes, precisions, interpolations and widths. Every other value of each parameter and the
// settings of the paper with all lanes, interpolations and widths, while float and half take turns; once where that
// tells nothing new. The other dimensions take turns.
std::vector<Case> all_cases (const families::Kernel &kernel, const Plan &plan);

} // namespace sino::test
