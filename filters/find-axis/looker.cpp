// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/looker.hpp"
#include <algorithm>
#include <atomic>
#include <cstring>

namespace sino::find_axis {

void Looker::run (std::span<Input *const> inputs, Output *)
{
  const auto piece = memory.take (sinograms_item);
  auto *some = piece.as<float> ();
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
  std::vector<ExaminedRow> rows;
  for (auto i = from (all.begin); i < from (all.end); i++)
    rows.push_back (
        {search.rows[static_cast<size_t> (i)], some + (i - from (all.begin)) * angles * columns, angles, columns});
  std::vector<char> unsure (rows.size ());
  std::atomic<size_t> next = 0;
  cpu.parallel (rows_at_once (std::ssize (rows), cpu.threads ()), 1, [&] (int64_t, int64_t) {
    const auto ordered = memory.take (ordered_item);
    for (size_t i = next++; i < rows.size (); i = next++) {
      monitor.check ();
      unsure[i] = look_at_mirrors (search, rows[i], ordered.as<float> (), cpu, findings);
    }
  });
  for (size_t i = 0; i < rows.size (); i++)
    if (unsure[i])
      look_at_slice (search, rows[i], cpu, monitor, findings);
}

} // namespace sino::find_axis
