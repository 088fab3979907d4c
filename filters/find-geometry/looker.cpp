// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/looker.hpp"
#include <algorithm>
#include <cmath>
#include <utility>

namespace sino::find_geometry {
namespace {

// Rows of a bin come in any order. Sums of these steps are exact, so the order does not matter.
constexpr float step_of_values = 1.0F / 8192, most = 64;

float counted (float value, bool summed)
{
  value = std::clamp (value, -most, most);
  return summed ? std::round (value / step_of_values) * step_of_values : value;
}

} // namespace

void Looker::run (std::span<Input *const> inputs, Output *)
{
  const auto &r = reduction;
  const auto share = 1 / static_cast<float> (r.column_bin * r.row_bin);
  std::vector<float> line (static_cast<size_t> (r.columns));
  int64_t holes = 0;
  while (const Block in = inputs[0]->pop ())
    for (int64_t a = 0; a < in.angles ().size (); a++) {
      const auto angle = in.angles ().begin + a;
      if (angle % r.step != 0)
        continue;
      for (int64_t i = 0; i < in.rows ().size (); i++) {
        const auto row = in.rows ().begin + i;
        if (row / r.row_bin >= r.rows)
          continue;
        const float *from = in.as<float> () + in.offset (a, i);
        for (int64_t u = 0; u < r.columns; u++) {
          float sum = 0;
          for (int64_t c = u * r.column_bin; c < (u + 1) * r.column_bin; c++)
            sum += from[c];
          const bool hole = !std::isfinite (sum);
          holes += hole;
          line[static_cast<size_t> (u)] = hole ? 0 : counted (share * sum, r.row_bin > 1);
        }
        const std::lock_guard lock (findings.mutex);
        float *to =
            findings.values.data () + static_cast<size_t> ((angle / r.step * r.rows + row / r.row_bin) * r.columns);
        findings.holes += std::exchange (holes, 0);
        for (int64_t u = 0; u < r.columns; u++)
          to[u] += line[static_cast<size_t> (u)];
      }
    }
}

} // namespace sino::find_geometry
