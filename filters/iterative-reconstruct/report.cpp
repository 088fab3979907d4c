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

void Report::step (int count, std::span<const Lanes> stacks)
{
  counters.add ("iterations", std::ssize (stacks));
  if (!due.now ())
    return;
  Values values;
  int slices = 0;
  for (const auto &lanes : stacks) {
    add_to (values, lanes, 0);
    slices += lanes.used;
  }
  if (!values.noises.empty ())
    messages.add (text ("iteration %d of %d for %d slices, which ", count, problem.solving.iterations, slices) +
                      words (std::move (values)),
                  Messages::Level::info);
}

void Report::add (const Lanes &lanes, int iterations, uint32_t left_out)
{
  most = std::max (most, iterations);
  add_to (all, lanes, left_out);
}

void Report::tell ()
{
  if (all.noises.empty ())
    return;
  const auto &solving = problem.solving;
  const auto [least, greatest] = std::ranges::minmax (all.noises);
  auto line =
      text ("%d iterations, the last ", most) + words (all) +
      text (", which is %.3g (%.3g to %.3g, %s)", median (all.noises), least, greatest, source_of_noise ().c_str ());
  if (solving.tries ())
    line += text ("; strengths from %g to %g", solving.strengths.front (), solving.strengths.back ());
  else if (solving.method == Method::tv)
    line += text ("; strength %g", solving.strengths.front ());
  messages.add (std::move (line), Messages::Level::info);
  all = {};
}

void Report::add_to (Values &values, const Lanes &lanes, uint32_t left_out) const
{
  for (int lane = 0; lane < lanes.used; lane++) {
    const auto i = static_cast<size_t> (lane);
    if (left_out >> lane & 1 || !(lanes.noise[i] > 0) || !std::isfinite (lanes.square[i]))
      continue;
    values.noises.push_back (lanes.noise[i]);
    values.from_flats += lanes.from_flats >> lane & 1;
    values.changes.push_back (lanes.change[i]);
    values.residuals.push_back (
        std::sqrt (std::max (lanes.difference[i], 0.0) / static_cast<double> (problem.columns)) / lanes.noise[i]);
  }
}

std::string Report::source_of_noise () const
{
  if (problem.solving.noise)
    return "given";
  const auto slices = all.noises.size ();
  return all.from_flats == 0 ? "from differences"
         : all.from_flats == slices
             ? "from the flats"
             : text ("from the flats in %zu of %zu slices, from differences in others", all.from_flats, slices);
}

// Medians; for several strengths, the ends of what they leave.
std::string Report::words (Values values) const
{
  auto line = text ("%s %.1e; rows differ from the slices by ",
                    problem.solving.method == Method::tv ? "changed slices by" : "left of the gradient",
                    median (values.changes));
  const auto [least, greatest] = std::ranges::minmax (values.residuals);
  line += problem.solving.tries () ? text ("%.2f to %.2f", least, greatest) : text ("%.2f", median (values.residuals));
  return line + " times their noise";
}

} // namespace sino::iterative_reconstruct
