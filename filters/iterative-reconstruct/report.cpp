// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/report.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::iterative_reconstruct {

namespace {

double median (std::vector<double> values)
{
  const auto middle = values.begin () + std::ssize (values) / 2;
  std::ranges::nth_element (values, middle);
  return *middle;
}

} // namespace

void Report::add (const Lanes &lanes, int iterations, const Problem &problem, uint32_t broken)
{
  most = std::max (most, iterations);
  for (int lane = 0; lane < lanes.used; lane++) {
    const auto i = static_cast<size_t> (lane);
    if (broken >> lane & 1 || !(lanes.noise[i] > 0))
      continue;
    noises.push_back (lanes.noise[i]);
    changes.push_back (lanes.change[i]);
    residuals.push_back (std::sqrt (std::max (lanes.difference[i], 0.0) / static_cast<double> (problem.columns)) /
                         lanes.noise[i]);
  }
}

void Report::tell ()
{
  if (noises.empty ())
    return;
  const auto [least, greatest] = std::ranges::minmax (noises);
  auto line = text ("%d iterations, the last %s %.1e; rows differ from the slices by %.2f times their noise, which is "
                    "%.3g (%.3g to %.3g, %s)",
                    most, solving.method == Method::tv ? "changed slices by" : "left of the gradient", median (changes),
                    median (residuals), median (noises), least, greatest, solving.noise ? "given" : "found in rows");
  if (solving.method == Method::tv)
    line += solving.tries () ? text ("; strengths from %g to %g", solving.strengths.front (), solving.strengths.back ())
                             : text ("; strength %g", solving.strengths.front ());
  messages.add (std::move (line), Messages::Level::info);
  noises.clear ();
}

} // namespace sino::iterative_reconstruct
