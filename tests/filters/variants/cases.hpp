// SPDX-License-Identifier: LGPL-3.0-or-later
// What the kernels are asked: settings, lanes, precision and interpolation, on scans of several sizes.
#pragma once
#include "back-project/opencl/variant.hpp"
#include <functional>

namespace sino::test {

struct Case {
  back_project::Setting setting;
  int lanes;
  bool half;
  back_project::Interpolation interpolation;
  bool mask;
  int64_t width, projections, slices;
  int region; // 0: across the circle's border; 1: at the lower end of the slice; 2: narrow and high

  back_project::Problem problem () const { return {lanes, half, interpolation, mask, width, projections}; }
  // Neither place nor size fits any tile.
  back_project::Roi roi () const;
};

// What cases are taken from.
struct Plan {
  std::vector<int64_t> widths, projections, slices;
  bool brief = false;                // of each parameter the first value and the last
  std::map<std::string, int> unless; // values of parameters that cases do not name and samples do not vary
  std::function<bool (const Case &)> allowed;
};

// Every pair of values of two dimensions, the kernel's parameters among them, that goes together.
std::vector<Case> sample_cases (const back_project::Variant &variant, const Plan &plan);

// Every setting (the usual one, the others of each parameter one at a time, those of the paper) with all lanes,
// precisions, interpolations and widths; the other dimensions take turns.
std::vector<Case> all_cases (const back_project::Variant &variant, const Plan &plan);

} // namespace sino::test
