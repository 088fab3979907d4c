// SPDX-License-Identifier: LGPL-3.0-or-later
// The rows that a stage needs of the stages before it, and the blocks that carry them.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Rows that each stage outputs for a work item (targets: rows that they take).
std::vector<Rows> demanded_rows (const Net &net, const Pass &pass, const Item &item);

// Rows that a consumer stage needs from port `port` to output `rows`.
Rows rows_needed (const Net &net, const Stage &consumer, size_t port, const Rows &rows);

// Whether the consumer stage takes any number of lanes.
bool takes_lanes (const Net &net, const Stage &consumer);

// Layout in which the consumer stage gets a stream whose producer outputs it in layout `given`.
Layout layout_taken (const Net &net, const Stage &consumer, Layout given);

// Lanes of the sinograms that come into a stage.
int lanes_taken (const Net &net, const Pass &pass, const Stage &stage);

// Whether a stage computes on the device.
bool on_device (const Net &net, const Stage &stage, const Device &device);

// Number of blocks that a stage uses in turn for copies, if it needs other rows or lanes than its producer gives.
inline int64_t copies_at_once (const Stage &stage)
{
  return 1 + stage.sizes.at_once;
}

// Memory in which the blocks of a stage's output lie on a device.
Device::Memory memory_of (const Net &net, const Pass &pass, const Stage &stage, const Device &device);

// The blocks of a stage's output for a work item, in order.
std::vector<Region> blocks_of (const Format &format, const Rows &rows, int64_t batch, int64_t row_step);

// A survey that skips rows needs no others of streams that are in order of rows, where each task takes them row by row.
// Returns the rows that it needs of each stage in a work item, one range for each band; empty: all are needed.
std::vector<std::vector<Rows>> seen_rows (const Net &net, const Pass &pass, const Item &item);

// The blocks that have some of the rows; all blocks if there are no rows.
std::vector<Region> with_any (std::vector<Region> blocks, const std::vector<Rows> &rows);

// Number of these blocks and size of the largest one, computed without a list of blocks.
struct BlockCount {
  int64_t number;
  Region largest;
};
BlockCount count_blocks (const Format &format, const Rows &rows, int64_t batch, int64_t row_step);
// The same for a stage's output in a work item. `seen`: the rows that a survey needs; empty: all.
BlockCount count_blocks (const Pass &pass, const Stage &stage, const Rows &rows, const std::vector<Rows> &seen);

} // namespace sino
