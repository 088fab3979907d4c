// SPDX-License-Identifier: LGPL-3.0-or-later
// Counts the projections of a work item that are in its sinograms, and tells the consumers of the output.
#pragma once
#include "glue/task.hpp"
#include <algorithm>
#include <mutex>

namespace sino::interleave {

class Arrivals
{
public:
  Arrivals (Output &o, std::vector<Block> blocks, int64_t projections)
      : output (o), shown{std::make_shared<const std::vector<Block>> (std::move (blocks))},
        rows (static_cast<size_t> (projections))
  {
    for (const auto &block : *shown.blocks)
      all = all.cover (block.rows ());
  }

  // A block was copied. Any thread.
  void add (const Block &block)
  {
    const std::lock_guard guard (mutex);
    for (auto angle = block.angles ().begin; angle < block.angles ().end; angle++)
      rows[static_cast<size_t> (angle)] += block.rows ().meet (all).size ();
    const auto before = shown.projections;
    while (shown.projections < std::ssize (rows) && rows[static_cast<size_t> (shown.projections)] == all.size ())
      shown.projections++;
    if (shown.projections > before)
      output.show (shown);
  }

private:
  Output &output;
  Filling shown;
  Rows all;
  std::vector<int64_t> rows; // number of rows of each projection that have come
  std::mutex mutex;
};

} // namespace sino::interleave
