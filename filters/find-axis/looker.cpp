// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/looker.hpp"
#include "filters/find-axis/columns.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace sino::find_axis {

namespace {

Findings::Values values_of (const float *sinogram, int64_t angles, int64_t columns)
{
  const int64_t border = std::max<int64_t> (columns / 64, 1);
  const auto mean = [&] (int64_t first, int64_t end) {
    double sum = 0;
    for (int64_t a = 0; a < angles; a++)
      for (int64_t c = first; c < end; c++)
        sum += static_cast<double> (sinogram[a * columns + c]);
    return sum / static_cast<double> (angles * (end - first));
  };
  const double left = mean (0, border), right = mean (columns - border, columns);
  return {mean (0, columns), std::max (std::abs (left), std::abs (right)), std::max (0.0, std::min (-left, -right))};
}

// Whether the matches of a row are too uncertain or contradict each other.
bool unsure (std::span<const std::optional<Match>> matches)
{
  const Match *good = nullptr;
  for (const auto &match : matches)
    if (match && match->coherence > 0.6 && match->certainty > 2) {
      if (good && std::abs (good->axis - match->axis) > noticeable)
        return true;
      good = &*match;
    }
  return !good;
}

} // namespace

void Looker::run (std::span<Input *const> inputs, Output *)
{
  const auto piece = memory.take (sinograms_item), sorted = memory.take ("a sinogram in order");
  auto *some = piece.as<float> (), *rows = sorted.as<float> ();
  // Index of the first row to look at that is at or after `row`.
  const auto from = [this] (int64_t row) { return std::ranges::lower_bound (search.rows, row) - search.rows.begin (); };
  Rows all;
  int64_t angles = 0, columns = 0;
  while (const Block in = inputs[0]->pop ()) {
    columns = in.line ();
    angles = in.format ().angles ();
    all = all.cover (in.rows ());
    for (int64_t a = 0; a < in.angles ().size (); a++)
      for (auto i = from (in.rows ().begin); i < from (in.rows ().end); i++)
        std::memcpy (some + ((i - from (all.begin)) * angles + in.angles ().begin + a) * columns,
                     in.as<float> () + in.offset (a, in.rows ().place (search.rows[static_cast<size_t> (i)])),
                     static_cast<size_t> (columns) * sizeof (float));
  }
  for (auto i = from (all.begin); i < from (all.end); i++)
    look (search.rows[static_cast<size_t> (i)], some + (i - from (all.begin)) * angles * columns, angles, columns,
          rows);
}

void Looker::look (int64_t row, float *sinogram, int64_t angles, int64_t columns, float *rows) const
{
  if (!bridge_columns (sinogram, angles, columns))
    return;
  const auto values = values_of (sinogram, angles, columns);
  const auto &turn = search.turn;
  cpu.parallel (static_cast<int64_t> (turn.rows.size ()), 16, [&] (int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      const auto &mix = turn.rows[static_cast<size_t> (t)];
      const auto *first = sinogram + mix.first * columns, *second = sinogram + mix.second * columns;
      for (int64_t c = 0; c < columns; c++)
        rows[t * columns + c] = first[c] + mix.share * (second[c] - first[c]);
    }
  });
  std::vector<std::optional<Match>> matches;
  for (const auto method : search.methods)
    matches.push_back (find_mirror (turn, columns, method, rows, cpu));
  std::optional<Match> sharp;
  if (search.focus && std::ranges::count (search.slices, row) > 0 && (search.always || unsure (matches)))
    sharp = search.focus->find (sinogram, cpu, monitor);
  const std::lock_guard guard (findings.mutex);
  findings.values[row] = values;
  for (size_t i = 0; i < matches.size (); i++)
    if (matches[i])
      findings.matches[{row, search.methods[i]}] = *matches[i];
  if (sharp)
    findings.matches[{row, Method::sharpness}] = *sharp;
}

} // namespace sino::find_axis
