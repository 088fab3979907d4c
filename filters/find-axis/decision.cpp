// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/decision.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_axis {

namespace {

constexpr double most_error = 1; // columns: largest error of an axis that is not in doubt

double between (const Verdict &a, const Verdict &b)
{
  return std::abs (a.axis - b.axis);
}

bool alike (const Verdict &a, const Verdict &b)
{
  return between (a, b) <= std::max (noticeable, 2 * std::hypot (a.error, b.error));
}

double votes (std::span<const Verdict> verdicts, const Verdict &one)
{
  double sum = 0;
  for (const auto &other : verdicts)
    if (other.sure () && alike (one, other))
      sum += other.weight;
  return sum;
}

Decision judged (std::span<const Verdict> verdicts, const Verdict &best)
{
  Decision decision{best, {}, {}};
  const auto own = votes (verdicts, best);
  for (const auto &other : verdicts)
    if (&other != &best && other.sure ()) {
      if (alike (best, other))
        decision.agree.push_back (other);
      else if (votes (verdicts, other) >= own)
        decision.differ.push_back (other);
    }
  // If two methods differ, each may be wrong by half of the difference: it is added to the error.
  const auto nearest = std::ranges::min_element (decision.agree, {}, &Verdict::error);
  double apart = nearest == decision.agree.end () ? 0 : between (*nearest, best);
  for (const auto &other : decision.differ)
    apart = std::max (apart, between (other, best));
  decision.best.error = std::hypot (best.error, 0.5 * apart);
  return decision;
}

} // namespace

std::string Decision::doubt () const
{
  if (!differ.empty ())
    return join (differ, "; ", &Verdict::words) + ": compare slices with both";
  if (!best.firm ())
    return "it is near the border, where few columns are compared: look at a slice";
  return best.error > most_error ? "its error is more than a column" : "";
}

std::optional<Decision> decide (std::span<const Verdict> verdicts)
{
  // An extrapolated verdict has an error so large that it agrees with all others: it counts only if it is alone.
  const auto best = std::ranges::max_element (verdicts, {}, [&] (const Verdict &one) {
    return one.sure () ? std::pair (one.extrapolated ? 1 : 2, votes (verdicts, one)) : std::pair (0, 0.0);
  });
  if (best != verdicts.end () && best->sure ())
    return judged (verdicts, *best);
  // Two uncertain verdicts that agree are unlikely to agree by chance.
  for (const auto &one : verdicts)
    for (const auto &other : verdicts)
      if (one.method < other.method && one.heard () && other.heard () && between (one, other) <= noticeable) {
        Decision decision{&one < &other ? one : other, {&one < &other ? other : one}, {}};
        decision.best.error = std::hypot (decision.best.error, 0.5 * between (one, other));
        return decision;
      }
  return {};
}

} // namespace sino::find_axis
