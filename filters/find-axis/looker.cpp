// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/looker.hpp"
#include <algorithm>
#include <atomic>

namespace sino::find_axis {

static constexpr int64_t copied_at_once = 16384; // values

void Looker::run (std::span<Input *const> inputs, Output *)
{
  if (sinograms.size () == 0)
    sinograms = memory.take (sinograms_item);
  collect (*inputs[0]);
  if (!has_room ())
    look ();
}

// Copies the rows of a work item that are to be looked at, behind those that wait.
void Looker::collect (Input &input)
{
  const auto waiting = std::ssize (rows);
  // Index of the first row to look at that is at or after `row`.
  const auto from = [this] (int64_t row) { return std::ranges::lower_bound (search.rows, row) - search.rows.begin (); };
  Rows all;
  int64_t angles = 0, columns = 0;
  const auto sinogram = [&] (int64_t i) { return sinograms.as<float> () + (waiting + i) * angles * columns; };
  while (const Block in = input.pop ()) {
    columns = in.line ();
    angles = in.format ().angles ();
    all = all.cover (in.rows ());
    const auto first = from (in.rows ().begin), number = from (in.rows ().end) - first, before = from (all.begin);
    cpu.parallel (in.angles ().size () * number, divide_up (copied_at_once, columns), [&] (int64_t begin, int64_t end) {
      for (auto piece = begin; piece < end; piece++) {
        const auto a = piece / number, i = first + piece % number;
        std::copy_n (in.as<float> () + in.offset (a, in.rows ().place (search.rows[static_cast<size_t> (i)])), columns,
                     sinogram (i - before) + (in.angles ().begin + a) * columns);
      }
    });
  }
  for (auto i = from (all.begin); i < from (all.end); i++)
    rows.push_back ({search.rows[static_cast<size_t> (i)], sinogram (i - from (all.begin)), angles, columns});
  seen += std::ssize (rows) - waiting;
}

// Whether the rows of any further work item fit.
bool Looker::has_room () const
{
  const auto left = std::ssize (search.rows) - seen;
  return left > 0 && most - std::ssize (rows) >= std::min (room_for_next (most, cpu.threads ()), left);
}

void Looker::look ()
{
  if (rows.empty ())
    return;
  std::vector<char> unsure (rows.size ());
  std::atomic<size_t> next = 0;
  cpu.parallel (rows_at_once (std::ssize (rows), cpu.threads ()), 1, [&] (int64_t, int64_t) {
    const auto binned = memory.take (binned_item);
    for (size_t i = next++; i < rows.size (); i = next++) {
      monitor.check ();
      unsure[i] = look_at_mirrors (search, rows[i], binned.as (), cpu, findings);
    }
  });
  for (size_t i = 0; i < rows.size (); i++)
    if (unsure[i])
      look_at_slice (search, rows[i], cpu, monitor, findings);
  rows.clear ();
  sinograms = {};
}

} // namespace sino::find_axis
