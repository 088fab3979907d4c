// SPDX-License-Identifier: LGPL-3.0-or-later
// The node back-project on a scan of noise, for the tests of both kinds of device.
#pragma once
#include "tests/filters/back-project/truth.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>

namespace sino::test {

using Properties = std::vector<std::pair<std::string, std::string>>;

inline Array to_array (const NoiseScan &scan)
{
  Array array;
  array.format = sinograms (Element::f32, {Axis::row, scan.rows, 10, 2}, {Axis::angle, scan.projections ()},
                            {Axis::column, scan.columns});
  auto geometry = std::make_shared<Geometry> ();
  geometry->angles = scan.angles;
  array.format.geometry = geometry;
  array.bytes.resize (scan.values.size () * sizeof (float));
  std::transform (scan.values.begin (), scan.values.end (), array.as<float> (),
                  [] (double v) { return static_cast<float> (v); });
  return array;
}

// Angles of noise are uneven, and all weights of NoiseScan the same.
inline Array reconstruct (const Array &scan, Properties properties = {}, Cut cut = {})
{
  properties.insert (properties.begin (), {"weights", "uniform"});
  const auto task = make_task ("back-project", properties);
  return run_task (*task, {&scan}, cut);
}

inline double error_of (const Array &slices, const NoiseScan &scan, bool nearest = false, bool mask = false)
{
  RelativeError error;
  const auto &x = slices.format.dim (Axis::x), &y = slices.format.dim (Axis::y);
  const float *got = slices.as<float> ();
  for (int64_t row = 0; row < slices.format.rows (); row++)
    for (int64_t j = 0; j < y.extent; j++)
      for (int64_t i = 0; i < x.extent; i++, got++) {
        if (mask && !scan.in_circle (x.number (i), y.number (j)))
          g_assert_cmpfloat (*got, ==, 0);
        else
          error.add (*got, nearest ? scan.nearest (row, x.number (i), y.number (j))
                                   : scan.linear (row, x.number (i), y.number (j)));
      }
  return error.value ();
}

} // namespace sino::test
