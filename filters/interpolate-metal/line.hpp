// SPDX-License-Identifier: LGPL-3.0-or-later
// Interpolation of one row of a projection over the rays through metal.
#pragma once
#include <cstdint>
#include <vector>

namespace sino::interpolate_metal {

// Rays of a row: measured attenuation, that of metal alone, and that of the prior (null: none).
struct Line {
  const float *data, *metal, *prior;
  int64_t rays;
};

// The rays through metal, and some on either side.
class Trace
{
public:
  // Metal is what attenuates a ray by more than a thousandth of the largest attenuation of the row.
  void find (const Line &line, int64_t margin);

  struct Gap {
    int64_t begin, end;
  };
  const std::vector<Gap> &gaps () const { return found; }
  int64_t rays () const;

private:
  std::vector<Gap> found;
};

// Writes the row with its gaps interpolated to `out`. The gaps must leave at least one ray.
//
// In a gap, p = (q + d) r - d + e, with the prior q. At the rays beside the gap the ratio r is (p + d) / (q + d),
// limited to between 1/2 and 2, and the rest e is what is then missing from p. r and e are linear in between, or
// constant where the gap ends at the border. d, a tenth of the largest q of the row, keeps the ratio finite where there
// is almost no prior.
void interpolate (const Line &line, const Trace &trace, float *out);

// Adds the attenuation of metal, smoothed with weights 1/4, 1/2, 1/4, to the rays of the gaps.
void add_metal (const Line &line, const Trace &trace, float *out);

} // namespace sino::interpolate_metal
