// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/verdict.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_axis {

constexpr double least_coherence = 0.4;
constexpr double least_prominence = 0.2; // of sharpness

const char *name_of (Method method)
{
  return method == Method::opposites ? "opposites" : method == Method::wedge ? "wedge" : "sharpness";
}

bool Verdict::sure () const
{
  if (!any () || error > 1)
    return false;
  if (method == Method::sharpness)
    return coherence > (voices > 2 && likely ? least_prominence : 2 * least_prominence);
  return coherence > (voices > 2 && likely ? least_coherence : 0.6) && certainty > 2;
}

std::string Verdict::value () const
{
  return text ("%.2f", axis) + (std::isfinite (error) ? text (" +- %.2f", error) : "");
}

std::string Verdict::words () const
{
  if (method == Method::sharpness)
    return text ("sharpness: column %s of %zu slices", value ().c_str (), rows);
  return text ("%s: column %s, where %.0f %% match", name_of (method), value ().c_str (), 100 * coherence);
}

Verdict judge (const Findings &findings, Method method, double middle)
{
  std::vector<Point> rows;
  double sum = 0, squares = 0, coherence = 0, certainty = 0;
  for (const auto &[key, match] : findings.matches)
    if (key.second == method && match.weight > 0) {
      rows.push_back ({static_cast<double> (key.first) - middle, match.axis, match.weight});
      sum += match.weight;
      squares += match.weight * match.weight;
      coherence += match.weight * match.coherence;
      certainty += match.weight * match.certainty;
    }
  Verdict verdict;
  verdict.method = method;
  if (rows.empty ())
    return verdict;
  // Where the axis is tilted, rows agree about a line.
  const auto line = fit_line (rows);
  if (line && line->sure ())
    for (auto &row : rows)
      row.value -= line->slope * row.at;
  const double centre = median_of (rows);
  auto off = rows;
  for (auto &row : off)
    row.value = std::abs (row.value - centre);
  const double spread = 1.4826 * median_of (off);
  // The mean of those that are not far off, which is better than the median where all are right.
  double near = 0, shift = 0;
  for (const auto &row : rows)
    if (std::abs (row.value - centre) <= 3 * spread) {
      near += row.weight;
      shift += row.weight * (row.value - centre);
    }
  verdict.axis = centre + shift / near;
  verdict.coherence = coherence / sum;
  verdict.certainty = certainty / sum;
  verdict.rows = rows.size ();
  verdict.voices = sum * sum / squares;
  verdict.line = line;
  if (verdict.voices > 2)
    verdict.error = spread / std::sqrt (verdict.voices);
  return verdict;
}

} // namespace sino::find_axis
