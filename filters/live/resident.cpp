// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/resident.hpp"
#include "filters/live/unit.hpp"
#include "kernels/holes/holes.hpp"
#include "kernels/live/keep.hpp"
#include <algorithm>
#include <cmath>

namespace sino::live {

using ramp_filter::aligned_floats;

static constexpr char values_item[] = "filtered projections", rows_item[] = "rows of a thread";

static size_t line_floats (int64_t columns)
{
  return static_cast<size_t> (round_up (columns, 16));
}

// What a thread has in hand while it filters rows.
struct Resident::Desk {
  float *line, *weighted, *shares, *filled, *a, *b, *work;
  int64_t shared = -1; // the projection whose shares all rows have

  static size_t floats (const Keeping &keeping, int64_t half)
  {
    return (keeping.weighing ? 4 : 1) * line_floats (keeping.projections.columns) +
           (half > 0 ? 2 * aligned_floats (half) + aligned_floats (Fft::work_values (half)) : 0);
  }
  Desk (const Keeping &keeping, int64_t half, float *memory) : line (memory)
  {
    const auto one = line_floats (keeping.projections.columns);
    weighted = line + one;
    shares = weighted + one;
    filled = shares + one;
    a = keeping.weighing ? filled + one : weighted;
    b = a + aligned_floats (half);
    work = b + aligned_floats (half);
  }
};

void Resident::memory (const Keeping &keeping, int64_t half, int threads, Bill &bill)
{
  add_pages (bill, values_item, keeping.projections.bytes (keeping.places));
  add_pages (bill, rows_item, Desk::floats (keeping, half) * sizeof (float), static_cast<size_t> (threads));
}

Resident::Resident (Keeping k, std::shared_ptr<const ramp_filter::RowFilter> f, const Cpu &c, Allotment &m)
    : keeping (std::move (k)), filter (std::move (f)), cpu (c), allotment (m), values (m.take (values_item)),
      pages (c, {{values.as (), values.size ()}})
{
  keeping.projections.values = values.as ();
}

void Resident::find_unit (const Block &in, int64_t projection)
{
  double sum = 0;
  for (int64_t row = 0; row < keeping.rows; row++) {
    const auto *line = in.as<float> () + in.offset (in.angles ().place (projection), row);
    for (int64_t i = 0; i < in.line (); i++)
      if (std::isfinite (line[i]))
        sum += std::abs (static_cast<double> (line[i]));
  }
  const auto values_of_projection = static_cast<double> (keeping.rows * in.line ());
  const double mean =
      sum / values_of_projection * static_cast<double> (keeping.weights[static_cast<size_t> (projection)]);
  const auto found = unit_for (mean);
  has_unit = found.has_value ();
  keeping.projections.unit = found.value_or (1);
}

void Resident::take (const Block &in, Interval some)
{
  for (auto projection = some.begin; projection < some.end && keeping.projections.half && !has_unit; projection++)
    find_unit (in, projection);
  const auto rows = keeping.projections.rows;
  cpu.parallel (some.size () * rows, 8, [&] (int64_t begin, int64_t end) {
    const auto piece = allotment.take (rows_item);
    Desk desk (keeping, filter ? filter->padded () / 2 : 0, piece.as<float> ());
    for (auto i = begin; i < end; i++) {
      const auto projection = some.at (i / rows), row = i % rows;
      const auto *from = read (in, projection, row, desk);
      if (filter) {
        filter->filter (from, keeping.projections.columns, desk.a, desk.b, desk.work);
        from = desk.b;
      }
      keep (projection, row, from);
    }
  });
}

// The average of rows, whose rays are weighted and whose holes are filled: on the desk, or where it is in the block.
const float *Resident::read (const Block &in, int64_t projection, int64_t row, Desk &desk) const
{
  const auto columns = keeping.projections.columns, first = row * keeping.row_bin,
             end = std::min (first + keeping.row_bin, keeping.rows), angle = in.angles ().place (projection);
  auto *line = desk.line;
  const auto line_of = [&] (int64_t r, float *to) {
    const auto *from = in.as<float> () + in.offset (angle, r);
    return keeping.weighing ? weigh (projection, r, from, desk, to) : from;
  };
  const auto *only = line_of (first, line);
  const bool fills = !keeping.finite && !keeping.weighing;
  if (!fills && end - first == 1)
    return only;
  if (only != line)
    std::copy_n (only, columns, line);
  for (auto r = first + 1; r < end; r++) {
    const auto *from = line_of (r, desk.weighted);
    for (int64_t i = 0; i < columns; i++)
      line[i] += from[i];
  }
  if (end - first > 1) {
    const auto share = 1 / static_cast<float> (end - first);
    for (int64_t i = 0; i < columns; i++)
      line[i] *= share;
  }
  if (fills)
    holes::fill_holes (line, columns, 1, 0);
  return line;
}

const float *Resident::weigh (int64_t projection, int64_t row, const float *from, Desk &desk, float *to) const
{
  const auto &weighing = *keeping.weighing;
  const auto k = static_cast<size_t> (projection);
  const std::span shares (desk.shares, static_cast<size_t> (weighing.columns ()));
  if (desk.shared != projection)
    weighing.weights ().shares (k, row, shares);
  desk.shared = weighing.weights ().same_in_rows () ? projection : -1;
  if (!keeping.finite) {
    std::copy_n (from, weighing.columns (), desk.filled);
    holes::fill_holes (desk.filled, weighing.columns (), 1, 0);
    from = desk.filled;
  }
  weighing.weigh (k, row, shares, from, {to, static_cast<size_t> (keeping.projections.columns)});
  return to;
}

void Resident::keep (int64_t projection, int64_t row, const float *line)
{
  const auto &sizes = keeping.projections;
  const auto weight = keeping.weights[static_cast<size_t> (projection)] / sizes.unit;
  auto *to = values.as () + static_cast<size_t> (sizes.offset (projection % keeping.places, row)) * sizes.value_size ();
  if (sizes.half) {
    if (const auto some = keep_halves (line, sizes.columns, weight, reinterpret_cast<uint16_t *> (to)))
      overflown += some;
  } else
    std::transform (line, line + sizes.columns, reinterpret_cast<float *> (to),
                    [weight] (float value) { return value * weight; });
}

} // namespace sino::live
