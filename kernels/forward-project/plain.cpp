// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/forward-project/joseph.hpp"
#include <algorithm>
#include <cmath>

namespace sino::forward_project {

namespace {

// Returns the integer below a number that is greater than -65536, without a function call.
int64_t below (double x)
{
  return static_cast<int64_t> (x + 65536) - 65536;
}

template <class Visit>
[[gnu::always_inline]] inline void meet (const Volume &volume, const Ray &ray, int64_t z, Visit visit)
{
  const auto middle = static_cast<double> (z);
  const auto put = [&] (int64_t x, int64_t y, double weight) {
    if (x >= 0 && x < volume.columns && y >= 0 && y < volume.lines)
      visit (x, y, weight);
  };
  if (ray.along == Along::z) {
    const double x = ray.in.at (middle), y = ray.up.at (middle);
    if (!(x > -1 && y > -1 && x < static_cast<double> (volume.columns) && y < static_cast<double> (volume.lines)))
      return;
    const auto i = below (x), j = below (y);
    const double right = x - static_cast<double> (i), down = y - static_cast<double> (j);
    put (i, j, (1 - right) * (1 - down));
    put (i + 1, j, right * (1 - down));
    put (i, j + 1, (1 - right) * down);
    put (i + 1, j + 1, right * down);
    return;
  }
  const double one = (middle - 1 - ray.up.start) * ray.inverse, other = (middle + 1 - ray.up.start) * ray.inverse;
  const double least = std::max (ray.first, std::min (one, other)), most = std::min (ray.last, std::max (one, other));
  if (!(least <= most))
    return;
  const bool lines = ray.along == Along::y;
  for (auto n = below (least); n <= below (most); n++) { // the first may be too far: it has no weight then
    const auto plane = static_cast<double> (n);
    const double in = ray.in.at (plane);
    const auto i = below (in);
    const double after = in - static_cast<double> (i),
                 weight = std::max (0.0, 1 - std::abs (ray.up.at (plane) - middle));
    put (lines ? i : n, lines ? n : i, weight * (1 - after));
    put (lines ? i + 1 : n, lines ? n : i + 1, weight * after);
  }
}

} // namespace

double gathered (const Volume &volume, int64_t z, const float *slice, const Ray &ray)
{
  double sum = 0;
  meet (volume, ray, z, [&] (int64_t x, int64_t y, double weight) {
    sum += weight * static_cast<double> (slice[y * volume.columns + x]);
  });
  return sum;
}

void spread_ray (const Volume &volume, int64_t z, const Ray &ray, double value, float *slice)
{
  meet (volume, ray, z, [&] (int64_t x, int64_t y, double weight) {
    slice[y * volume.columns + x] += static_cast<float> (weight * value);
  });
}

} // namespace sino::forward_project
