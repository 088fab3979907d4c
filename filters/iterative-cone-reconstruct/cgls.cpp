// SPDX-License-Identifier: LGPL-3.0-or-later
// Conjugate gradients for least squares (M. R. Hestenes, E. Stiefel, J. Res. Natl. Bur. Stand. 49, 409, 1952), stopped
// early, from 0 on.
#include "filters/iterative-cone-reconstruct/space.hpp"
#include <algorithm>
#include <cmath>

namespace sino::iterative_cone_reconstruct {

Outcome solve_cgls (Space &space)
{
  const auto views = space.all_views ();
  float *const x = space.volume (0), *const p = space.volume (1), *const s = space.volume (2);
  float *const r = space.projections (0), *const q = space.projections (1); // r is the residual b - A x
  const auto descend = [&] {                                                // s = A^T r; returns |s|^2
    space.clear (s);
    space.each_view ([&] (int64_t begin, int64_t end) { std::copy (r + begin, r + end, q + begin); });
    space.pair.adjoint (q, views, s);
    return space.sum_of_volume ([s] (int64_t i) { return static_cast<double> (s[i]) * static_cast<double> (s[i]); });
  };
  double gradient = descend ();
  const double first = gradient;
  space.each_line ([&] (int64_t begin, int64_t end) { std::copy (s + begin, s + end, p + begin); });
  Outcome outcome{};
  do {
    outcome.residual = space.square_of (r);
    space.pair.forward (p, views, q);
    space.clear_padding (q);
    const double length = space.square_of (q);
    if (!(length > 0))
      break; // there is nothing left, or nothing at all
    const auto alpha = static_cast<float> (gradient / length);
    space.each_view ([&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        r[i] -= alpha * q[i];
    });
    space.each_line ([&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        x[i] += alpha * p[i];
    });
    const double last = gradient;
    gradient = descend ();
    const auto beta = static_cast<float> (gradient / last);
    space.each_line ([&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        p[i] = s[i] + beta * p[i];
    });
    outcome.change = std::sqrt (gradient / first);
  } while (space.goes_on (outcome));
  return outcome;
}

} // namespace sino::iterative_cone_reconstruct
