// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/verdict.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_axis {

constexpr double least_coherence = 0.4;
constexpr double least_prominence = 0.2;              // needed by the method sharpness
constexpr double least_error = 0.01;                  // columns: smallest error of an axis
constexpr double near_border = 0.35, at_border = 0.2; // distances from the axis to a border, as shares of the columns
constexpr double most_coherence = 0.9;                // coherence needed at the border

const char *name_of (Method method)
{
  return method == Method::opposites ? "opposites" : method == Method::wedge ? "wedge" : "sharpness";
}

// Returns the needed coherence. It is greater for few rows, and for an axis that is not `likely`.
double Verdict::needed () const
{
  const bool usual = voices > 2 && likely;
  if (method == Method::sharpness)
    return usual ? least_prominence : 2 * least_prominence;
  return usual ? least_coherence : 0.6;
}

bool Verdict::firm () const
{
  if (method == Method::sharpness)
    return true;
  if (method == Method::wedge && inside < far_off) // half a turn shows only a part of the object
    return false;
  const double share = std::clamp ((near_border - inside) / (near_border - at_border), 0.0, 1.0);
  return coherence > needed () + share * (most_coherence - needed ());
}

bool Verdict::heard () const
{
  return any () && (voices <= 2 || scatter <= 1) && coherence > 0.5 * needed () &&
         (method == Method::sharpness || certainty > 2);
}

std::string Verdict::value () const
{
  return text ("%.2f +- %.2f", axis, error);
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
  double sum = 0, squares = 0, coherence = 0, certainty = 0, error = 0;
  for (const auto &[key, match] : findings.matches)
    if (key.second == method && match.weight > 0) {
      rows.push_back ({static_cast<double> (key.first) - middle, match.axis, match.weight});
      sum += match.weight;
      squares += match.weight * match.weight;
      coherence += match.weight * match.coherence;
      certainty += match.weight * match.certainty;
      error += match.weight * match.error;
    }
  Verdict verdict;
  verdict.method = method;
  if (rows.empty ())
    return verdict;
  // If the axis is tilted, the axes of rows lie on a line, which is subtracted.
  const auto line = fit_line (rows);
  if (line && line->sure ())
    for (auto &row : rows)
      row.value -= line->slope * row.at;
  const double centre = median_of (rows);
  auto off = rows;
  for (auto &row : off)
    row.value = std::abs (row.value - centre);
  const double spread = 1.4826 * median_of (off);
  // The mean of rows near the median: more precise than the median if all rows are right.
  const bool few = rows.size () <= 4; // the median is then one of the rows
  double near = 0, shift = 0, apart = 0, counted = 0;
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
  for (const auto &row : rows)
    if (few || std::abs (row.value - centre) <= 3 * spread) {
      counted += row.weight;
      apart += row.weight * (row.value - verdict.axis) * (row.value - verdict.axis);
    }
  if (verdict.voices > 1.5)
    verdict.scatter = std::sqrt (apart / counted / (verdict.voices - 1));
  // Errors common to all rows, which see one object, do not decrease with the number of rows; errors of each row do. If
  // there are too few rows to measure the latter, both kinds are assumed to be equally large.
  const double alike = error / sum, own = std::max (verdict.scatter, alike / std::sqrt (verdict.voices));
  verdict.error = std::max (std::hypot (alike, own), least_error);
  return verdict;
}

} // namespace sino::find_axis
