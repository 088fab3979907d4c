// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-geometry/pairs.hpp"
#include "base/cancellation.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sino::find_geometry {
namespace {

// In the room of a projection: unit vectors along the line to the other source, and across it to the object.
struct Line {
  Vector along, across;
};

// Integral of a projection over a plane with `line.along` that rises by `rise` across. A ray at the angle a from across
// counts 1 / cos a da = dt / sqrt (1 + t^2) with t = tan a. NaN where the plane leaves the detector.
double integral (const Reduced &scan, int64_t view, const Frame &frame, const Line &line, double rise)
{
  const auto across = line.across + Vector{0, 0, rise};
  const auto unit = 1 / length (across) * across;
  // In the plane the row is linear in the column, and so are the parts of the ray along the line and across.
  const auto normal = cross (line.along, unit);
  const double steep = dot (normal, frame.row), slope = -dot (normal, frame.column) / steep;
  const auto step = frame.column + slope * frame.row;
  const double row = -dot (normal, frame.corner + 0.5 * frame.column) / steep;
  const auto first = frame.corner + 0.5 * frame.column + row * frame.row;
  const double a = dot (first, line.along), b = dot (step, line.along), c = dot (first, unit), d = dot (step, unit);

  const auto columns = scan.columns;
  const double v = row - 0.5, last = v + slope * static_cast<double> (columns - 1);
  if (!(std::min (v, last) >= 0 && std::max (v, last) < static_cast<double> (scan.rows) - 1.001))
    return std::nan ("");
  const float *image = scan.row (view, 0);
  double sum = 0;
  for (int64_t u = 0; u < columns; u++) {
    const auto column = static_cast<double> (u);
    const double at = v + slope * column, x = a + b * column, y = c + d * column;
    const auto top = static_cast<int64_t> (at);
    const double share = at - static_cast<double> (top);
    const float *values = image + top * columns + u;
    const double value = (1 - share) * static_cast<double> (values[0]) + share * static_cast<double> (values[columns]);
    sum += value / (y * std::sqrt (x * x + y * y));
  }
  return sum * std::abs (b * c - a * d);
}

} // namespace

std::vector<double> Planes::differences (const Values &values) const
{
  step_unless_cancelled ();
  const auto frame = frame_of (detector_of (values, aspect));
  std::vector<double> all;
  for (const auto &[a, b, half_angle] : pairs) {
    const double c = std::cos (half_angle), s = std::sin (half_angle);
    const Line of_a{{c, -s, 0}, {s, c, 0}}, of_b{{c, s, 0}, {-s, c, 0}};
    double last = std::nan ("");
    for (int p = 0; p <= planes; p++) {
      const double rise = reach * (2.0 * p / planes - 1);
      const double d = integral (*scan, a, frame, of_a, rise) - integral (*scan, b, frame, of_b, rise);
      if (p > 0)
        all.push_back (std::isfinite (d) && std::isfinite (last) ? d - last : std::nan (""));
      last = d;
    }
  }
  return all;
}

Planes::Planes (const Reduced &s, const Values &start, double row_aspect, std::span<const double> apart_by, int count,
                int number)
    : scan (&s), aspect (row_aspect), planes (number)
{
  const auto views = s.views ();
  const double turn = 2 * std::numbers::pi;
  const auto angle = [&] (int64_t from, int64_t to) {
    return std::remainder (s.angles[static_cast<size_t> (to)] - s.angles[static_cast<size_t> (from)], turn);
  };
  for (int i = 0; i < count; i++) {
    const double apart = apart_by[static_cast<size_t> (i) % apart_by.size ()];
    const auto a = static_cast<int64_t> (i) * views / count;
    int64_t b = 0;
    for (int64_t other = 1; other < views; other++)
      if (std::abs (angle (a, other) - apart) < std::abs (angle (a, b) - apart))
        b = other;
    if (std::abs (angle (a, b) - apart) < 0.1)
      pairs.push_back ({a, b, 0.5 * angle (a, b)});
  }
  const auto detector = detector_of (start, row_aspect);
  reach = std::max (detector.row, static_cast<double> (s.rows) - detector.row) * row_aspect / detector.distance;
}

namespace {

// Mean squares of some rows, in groups of pairs; only planes that are seen with all of these rows count.
class Energies
{
public:
  static constexpr size_t groups = 8;

  Energies (const Planes &planes, const Values &start, const std::vector<double> &rows)
  {
    std::vector<std::vector<double>> all;
    for (const double row : rows) {
      auto values = start;
      values[row_number] = row;
      all.push_back (planes.differences (values));
    }
    const auto number = all[0].size ();
    each.resize (rows.size ());
    for (size_t i = 0; i < number; i++) {
      if (!std::ranges::all_of (all, [i] (const auto &differences) { return std::isfinite (differences[i]); }))
        continue;
      seen++;
      for (size_t row = 0; row < rows.size (); row++)
        each[row][i * groups / number] += all[row][i] * all[row][i];
    }
    share = static_cast<double> (seen) / static_cast<double> (std::max<size_t> (number, 1));
  }

  double of (size_t row, size_t left_out = groups) const
  {
    double sum = 0;
    for (size_t g = 0; g < groups; g++)
      if (g != left_out)
        sum += each[row][g];
    return sum;
  }
  size_t rows () const { return each.size (); }
  double share_seen () const { return share; }

private:
  std::vector<std::array<double, groups>> each;
  size_t seen = 0;
  double share = 0;
};

constexpr double least_share = 0.1; // of the planes

std::vector<double> around (double middle, double reach, double step)
{
  std::vector<double> rows;
  const int side = static_cast<int> (std::lround (reach / step));
  for (int i = -side; i <= side; i++)
    rows.push_back (middle + i * step);
  return rows;
}

} // namespace

std::optional<Row> find_row (const Planes &planes, const Values &start, double reach, double step, double spread)
{
  auto middle = start[row_number];
  if (reach > 0) {
    const auto rows = around (middle, reach, step);
    const Energies energies (planes, start, rows);
    size_t best = 0;
    for (size_t i = 1; i < rows.size (); i++)
      if (energies.of (i) < energies.of (best))
        best = i;
    if (energies.share_seen () < least_share || best == 0 || best + 1 == rows.size ())
      return {};
    middle = rows[best];
  }
  // A parabola through the energies around the best row, as a whole and without each group.
  constexpr int side = 6;
  const Energies energies (planes, start, around (middle, spread, spread / side));
  if (energies.share_seen () < least_share)
    return {};
  const auto vertex = [&] (size_t left_out) {
    // Orthogonal polynomials on -side ... side.
    double slope = 0, bend = 0, squares_of_line = 0, squares_of_bend = 0;
    for (size_t at = 0; at < energies.rows (); at++) {
      const double y = energies.of (at, left_out);
      const double i = static_cast<double> (at) - side, parabola = i * i - side * (side + 1) / 3.0;
      slope += i * y;
      squares_of_line += i * i;
      bend += parabola * y;
      squares_of_bend += parabola * parabola;
    }
    slope /= squares_of_line;
    bend /= squares_of_bend;
    return bend > 0 ? std::clamp (-0.5 * slope / bend, -1.5 * side, 1.5 * side) * spread / side : 0;
  };
  constexpr auto groups = Energies::groups;
  double sum = 0, squares = 0;
  for (size_t g = 0; g < groups; g++) {
    const double v = vertex (g);
    sum += v;
    squares += v * v;
  }
  return Row{middle + vertex (groups),
             std::sqrt (std::max (squares - sum * sum / groups, 0.0) * (groups - 1) / groups)};
}

} // namespace sino::find_geometry
