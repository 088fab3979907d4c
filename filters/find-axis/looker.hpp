// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that searches for the axis in rows of a scan, with all methods.
#pragma once
#include "filters/find-axis/search.hpp"
#include "glue/task.hpp"
#include <vector>

namespace sino::find_axis {

// Names on the bill.
constexpr const char *rows_item = "examined rows", *sinograms_item = "sinograms of examined rows",
                     *binned_item = "binned rows and spectra";

// Number of rows that a worker looks at in parallel. Some of the work for a row is in one thread.
inline int64_t rows_at_once (int64_t rows, int threads)
{
  return std::clamp<int64_t> (std::min<int64_t> (rows, threads), 1, 16);
}

// Number of rows that a worker collects before it looks at them: many threads have enough to do with the rows of a few
// work items. `rows`: of the largest work item; where memory allows only one row, it is looked at alone. `all`: of all
// work items.
constexpr int64_t items_together = 4;
inline int64_t rows_together (int64_t rows, int64_t all, int threads)
{
  return rows > 1 && threads > few_threads ? std::min (items_together * rows, all) : rows;
}
// Room for the rows of the next work item, where a worker can collect `collected` rows.
inline int64_t room_for_next (int64_t collected, int threads)
{
  return collected > 1 && threads > few_threads ? divide_up (collected, items_together) : collected;
}

// Searches in the rows of work items.
class Looker final : public Worker
{
public:
  Looker (const Replica &replica, const Search &s, Findings &f)
      : cpu (replica.cpu), monitor (replica.monitor), memory (replica.memory), search (s), findings (f),
        most (static_cast<int64_t> (memory.claim (rows_item) / sizeof (ExaminedRow)))
  {
  }

  void run (std::span<Input *const> inputs, Output *) override;
  void end () override { look (); }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  Allotment &memory;
  const Search &search;
  Findings &findings;
  const int64_t most;            // rows to collect
  std::vector<ExaminedRow> rows; // collected
  Allotment::Piece sinograms;    // of these rows
  int64_t seen = 0;              // number of rows of all work items so far

  void collect (Input &input);
  bool has_room () const;
  void look ();
};

} // namespace sino::find_axis
