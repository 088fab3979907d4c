// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/seen-rows.hpp"
#include "base/cancellation.hpp"
#include "kernels/cone-back-project/native/packed.hpp"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace sino::cone_back_project {

SeenRows::SeenRows (const Job &job, double beyond)
    : around (beyond), separate (std::ranges::all_of (job.projections,
                                                      [&] (const Projection &projection) {
                                                        return projection.slices.contains ({0, job.volume.slices});
                                                      })),
      lines (separate ? lines_of (job, beyond) : std::vector<Line> ()),
      known (separate ? static_cast<size_t> (job.volume.slices) : 0)
{
}

// Returns the lines that decide which rows are seen. If depth is the same for all slices, rows are linear in z, and
// only lines on the convex hull of the points (step, row) count.
std::vector<SeenRows::Line> SeenRows::outermost (std::vector<Line> lines)
{
  for (auto &line : lines) {
    step_unless_cancelled ();
    if (!(std::abs (line.deeper) * 1e6 <= 1e-9 * line.depth))
      return lines;
    line = {.row = line.row / line.depth, .step = line.step / line.depth, .depth = 1, .deeper = 0};
  }
  std::ranges::sort (lines, cancellable ([] (const Line &a, const Line &b) {
                       return std::tie (a.step, a.row) < std::tie (b.step, b.row);
                     }));
  const auto half = [&lines] (double side) {
    std::vector<Line> hull;
    const auto inside = [side] (const Line &a, const Line &b, const Line &c) {
      return side * ((b.step - a.step) * (c.row - a.row) - (b.row - a.row) * (c.step - a.step)) <= 0;
    };
    for (const auto &line : lines) {
      step_unless_cancelled ();
      while (hull.size () > 1 && inside (hull[hull.size () - 2], hull.back (), line))
        hull.pop_back ();
      hull.push_back (line);
    }
    return hull;
  };
  auto hull = half (1), upper = half (-1);
  hull.insert (hull.end (), upper.begin (), upper.end ());
  return hull;
}

std::vector<SeenRows::Line> SeenRows::lines_of (const Job &job, double around)
{
  const auto &volume = job.volume;
  std::vector<Line> all;
  all.reserve (4 * job.projections.size ());
  const auto end = [&] (bool last, int64_t n) { return last ? static_cast<double> (n - 1) + around : -around; };
  for (const auto &projection : job.projections) {
    step_unless_cancelled ();
    for (unsigned i = 0; i < 4; i++) {
      const auto at = volume.first + volume.size * Vector{end (i & 1, volume.columns), end (i & 2, volume.lines), 0};
      const auto of = [&] (size_t k) {
        const auto &m = projection.matrix[k];
        return m[0] * at.x + m[1] * at.y + m[2] * at.z + m[3];
      };
      all.push_back ({of (1), projection.matrix[1][2] * volume.size, of (2), projection.matrix[2][2] * volume.size});
    }
  }
  return outermost (std::move (all));
}

Interval SeenRows::of_slice (const Job &job, int64_t slice) const
{
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const double z : {static_cast<double> (slice) - around, static_cast<double> (slice) + around}) {
    for (const auto &line : lines) {
      const double row = (line.row + z * line.step) / (line.depth + z * line.deeper);
      least = std::min (least, row);
      most = std::max (most, row);
    }
    if (around == 0)
      break;
  }
  return rows_between (job, least, most);
}

Interval SeenRows::of (const Job &job, Interval slices) const
{
  if (!separate || slices.empty ())
    return rows_seen (job, slices, around);
  const std::lock_guard guard (mutex);
  const auto known_of = [&] (int64_t z) {
    auto &rows = known[static_cast<size_t> (z)];
    if (rows.empty ())
      rows = this->of_slice (job, z);
    return rows;
  };
  return known_of (slices.begin).cover (known_of (slices.end - 1));
}

} // namespace sino::cone_back_project
