// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that searches for the axis in rows of a scan, with all methods.
#pragma once
#include "filters/find-axis/search.hpp"
#include "glue/task.hpp"

namespace sino::find_axis {

// Names on the bill.
constexpr const char *sinograms_item = "sinograms of examined rows", *binned_item = "binned rows and spectra";

// Number of rows that a worker looks at in parallel. Some of the work for a row is in one thread.
inline int64_t rows_at_once (int64_t rows, int threads)
{
  return std::clamp<int64_t> (std::min<int64_t> (rows, threads), 1, 16);
}

// Searches in the rows of a work item.
class Looker final : public Worker
{
public:
  Looker (const Replica &replica, const Search &s, Findings &f)
      : cpu (replica.cpu), monitor (replica.monitor), memory (replica.memory), search (s), findings (f)
  {
  }

  void run (std::span<Input *const> inputs, Output *) override;

private:
  const Cpu &cpu;
  const Monitor &monitor;
  Allotment &memory;
  const Search &search;
  Findings &findings;
};

} // namespace sino::find_axis
