// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/back-project/rays.hpp"
#include "stream/coverage.hpp"
#include <cmath>
#include <numbers>

namespace sino::back_project {

static std::vector<double> shares_of (const std::vector<double> &angles, Weights weights)
{
  if (weights == Weights::automatic)
    return Directions (angles, std::numbers::pi).shares ();
  if (weights == Weights::spacing)
    return Directions (angles, std::numbers::pi).spacing ();
  return std::vector<double> (angles.size (), std::numbers::pi / static_cast<double> (angles.size ()));
}

std::vector<Ray> make_rays (const std::vector<double> &angles, const std::vector<double> &axis, double offset,
                            Weights weights)
{
  const auto n = angles.size ();
  const auto share = shares_of (angles, weights);
  std::vector<Ray> rays;
  for (size_t i = 0; i < n; i++) {
    const double angle = angles[i] + offset;
    // Column u spans [u, u + 1), so the centre of bin 0 is at 1/2.
    rays.push_back ({std::cos (angle), std::sin (angle), axis[i] - 0.5, static_cast<float> (share[i])});
  }
  return rays;
}

} // namespace sino::back_project
