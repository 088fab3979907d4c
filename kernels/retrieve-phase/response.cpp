// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/retrieve-phase/response.hpp"
#include <cmath>
#include <numbers>

namespace sino::retrieve_phase {
using std::numbers::pi;

double Optics::response (double squared) const
{
  const double u = turn * squared;
  if (!gives_phase ())
    return 1 / (1 + ratio * u);
  if (method == Method::tie)
    return 0.5 / (u + 1 / ratio);
  const double sine = std::sin (u);
  const bool near_zero = method != Method::ctf && u > pi / 2 && std::abs (sine) < threshold;
  if (near_zero && method == Method::qp)
    return 0;
  return std::copysign (0.5, sine) / ((near_zero ? threshold : std::abs (sine)) + 1 / ratio);
}

double Optics::blur () const
{
  return std::sqrt (ratio * turn) / (2 * pi);
}

} // namespace sino::retrieve_phase
