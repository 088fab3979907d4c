// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/ring.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include <cmath>
#include <numbers>

namespace sino::live {

int64_t ring_of (const std::vector<double> &angles, double turn)
{
  const auto n = angles.size ();
  const double step = n < 2 ? 0 : (angles.back () - angles.front ()) / static_cast<double> (n - 1);
  const char *const name = turn > 1.5 * std::numbers::pi ? "a whole turn" : "half a turn";
  for (size_t k = 0; k < n; k++)
    if (!(std::abs (angles[k] - angles.front () - static_cast<double> (k) * step) < 0.25 * std::abs (step)))
      fail (SINO_ERROR_BAD_FORMAT,
            "mode=ring wants angles in even steps, and projection %zu is at %g degrees: give mode=scan", k,
            degrees (angles[k]));
  constexpr int64_t least = 8; // so that differences of angles are small parts of half a turn
  const auto count = std::llround (turn / std::abs (step));
  if (count < least)
    fail (SINO_ERROR_BAD_FORMAT,
          "mode=ring wants small steps, and %s has %lld projections in steps of %g degrees: give mode=scan", name,
          static_cast<long long> (count), degrees (step));
  if (count > static_cast<int64_t> (n))
    fail (SINO_ERROR_BAD_FORMAT, "mode=ring wants %s at least, and the angles have %.4g degrees: give mode=scan", name,
          degrees (std::abs (step) * static_cast<double> (n)));
  return count;
}

} // namespace sino::live
