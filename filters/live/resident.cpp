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

void Resident::memory (const Keeping &keeping, int64_t half, int threads, Bill &bill)
{
  add_pages (bill, values_item, keeping.projections.bytes (keeping.places));
  const auto filtering = half > 0 ? 2 * aligned_floats (half) + aligned_floats (Fft::work_values (half)) : 0;
  const auto weighing = keeping.weighing ? 2 * line_floats (keeping.projections.columns) : 0; // shares, and a row
  add_pages (bill, rows_item,
             (line_floats (keeping.projections.columns) + std::max (filtering, weighing)) * sizeof (float),
             static_cast<size_t> (threads));
}

Resident::Resident (Keeping k, std::shared_ptr<const ramp_filter::RowFilter> f, const Cpu &c, Allotment &m)
    : keeping (std::move (k)), filter (std::move (f)), cpu (c), allotment (m), values (m.take (values_item))
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
  const auto rows = keeping.projections.rows, columns = keeping.projections.columns;
  cpu.parallel (some.size () * rows, 8, [&] (int64_t begin, int64_t end) {
    const auto piece = allotment.take (rows_item);
    auto *line = piece.as<float> ();
    for (auto i = begin; i < end; i++) {
      const auto projection = some.at (i / rows), row = i % rows;
      const auto *from = read (in, projection, row, line, line + line_floats (columns));
      if (filter) {
        const auto half = filter->padded () / 2;
        auto *a = line + line_floats (columns), *b = a + aligned_floats (half), *work = b + aligned_floats (half);
        filter->filter (from, columns, a, b, work);
        from = b;
      }
      keep (projection, row, from);
    }
  });
}

// The average of rows, whose rays are weighted and whose holes are filled: in `line`, or where it is in the block.
const float *Resident::read (const Block &in, int64_t projection, int64_t row, float *line, float *work) const
{
  const auto columns = keeping.projections.columns, first = row * keeping.row_bin,
             end = std::min (first + keeping.row_bin, keeping.rows), angle = in.angles ().place (projection);
  auto *weighted = work + line_floats (columns);
  const auto line_of = [&] (int64_t r, float *to) {
    const auto *from = in.as<float> () + in.offset (angle, r);
    if (!keeping.weighing)
      return from;
    const auto &weighing = *keeping.weighing;
    const auto k = static_cast<size_t> (projection);
    const std::span shares (work, static_cast<size_t> (weighing.columns ()));
    weighing.weights ().shares (k, r, shares);
    weighing.weigh (k, r, shares, from, {to, static_cast<size_t> (columns)});
    return static_cast<const float *> (to);
  };
  const auto *only = line_of (first, line);
  if (keeping.finite && end - first == 1)
    return only;
  if (only != line)
    std::copy_n (only, columns, line);
  for (auto r = first + 1; r < end; r++) {
    const auto *from = line_of (r, weighted);
    for (int64_t i = 0; i < columns; i++)
      line[i] += from[i];
  }
  if (end - first > 1) {
    const auto share = 1 / static_cast<float> (end - first);
    for (int64_t i = 0; i < columns; i++)
      line[i] *= share;
  }
  if (!keeping.finite)
    holes::fill_holes (line, columns, 1, 0);
  return line;
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
