// SPDX-License-Identifier: LGPL-3.0-or-later
// A scan and a small job of it, for tests of kernels.
#pragma once
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "tests/filters/cone-back-project/truth.hpp"
#include <cmath>

namespace sino::test {

using namespace cone_back_project;

// Off-centre both ways.
inline ScanSetup upright ()
{
  return {
      .source_origin = 90, .origin_detector = 40, .pixel_width = 1.1, .pixel_height = 0.9, .column = 11.4, .row = 12.3};
}

inline Job some_job (int64_t views)
{
  Job job{{}, {{-3, -3, -2}, 1, 7, 7, 5}, 9, 6, HUGE_VAL};
  const std::vector<double> angles (static_cast<size_t> (views), 0.5);
  for (const auto &view : views_of (upright (), angles))
    job.projections.push_back ({matrix_of (view), 1});
  return job;
}

} // namespace sino::test
