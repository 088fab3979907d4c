// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/words.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <cmath>
#include <numbers>

namespace sino::iterative_reconstruct {

namespace {

constexpr double wedge = 10 * std::numbers::pi / 180; // radians without directions that want more iterations
constexpr double many_columns = 5;                    // per projection

int usual_iterations (Method method, int64_t columns, int64_t projections, double widest_gap)
{
  if (method == Method::cgls)
    return 10;
  if (widest_gap > wedge && widest_gap > 3 * std::numbers::pi / static_cast<double> (projections))
    return 150;
  return static_cast<double> (columns) > many_columns * static_cast<double> (projections) ? 40 : 20;
}

} // namespace

Solving IterationSettings::solving (Method method, int64_t columns, int64_t projections, double widest_gap) const
{
  Solving solving{.method = method,
                  .strength = strength,
                  .noise = {},
                  .iterations =
                      iterations > 0 ? iterations : usual_iterations (method, columns, projections, widest_gap),
                  .tolerance = tolerance,
                  .non_negative = non_negative && method == Method::tv};
  if (noise == "auto")
    return solving;
  double value = 0;
  if (!parse_number (noise, value) || !std::isfinite (value) || value <= 0)
    fail (SINO_ERROR_BAD_PROPERTY,
          "noise=%s is neither 'auto' nor a number above 0: give the standard deviation of a value of the sinograms",
          noise.c_str ());
  solving.noise = value;
  return solving;
}

} // namespace sino::iterative_reconstruct
