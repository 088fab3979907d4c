// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/worker.hpp"
#include <deque>

namespace sino::slice {

namespace {

// The output blocks in work, in the plan's order.
class Slices
{
public:
  explicit Slices (Output &o) : output (o) {}

  SliceWorker::Slice of_row (int64_t row)
  {
    if (open.empty () || open.back ().rows ().end <= row) {
      Block next = output.next ();
      if (!next)
        return {nullptr, 0};
      open.push_back (std::move (next));
    }
    auto &block = open.back ();
    const auto place = block.rows ().place (row);
    return place < 0 ? SliceWorker::Slice{nullptr, 0}
                     : SliceWorker::Slice{&block, static_cast<size_t> (block.offset (0, place)) * sizeof (float)};
  }

  void push_until (int64_t row)
  {
    while (!open.empty () && open.front ().rows ().end <= row + 1) {
      output.push (std::move (open.front ()));
      open.pop_front ();
    }
  }

private:
  Output &output;
  std::deque<Block> open;
};

} // namespace

void SliceWorker::run (std::span<Input *const> inputs, Output *output)
{
  Slices slices (*output);
  foresee (*inputs[0], *output);
  while (const Block in = inputs[0]->pop ()) {
    const auto rows = in.rows ().size ();
    for (int64_t first = 0; first < rows; first += in.lanes ()) {
      std::vector<Slice> group;
      for (auto i = first; i < std::min<int64_t> (first + in.lanes (), rows); i++)
        group.push_back (slices.of_row (in.rows ().at (i)));
      reconstruct (in, static_cast<size_t> (in.offset (0, first)) * size_of (in.format ().element), group);
    }
    slices.push_until (in.rows ().at (rows - 1));
  }
}

std::vector<int64_t> SliceWorker::rows_of (const Block &in, size_t offset, int64_t first, int64_t count)
{
  const auto place =
      static_cast<int64_t> (offset / size_of (in.format ().element)) / (in.angles ().size () * in.line ());
  std::vector<int64_t> rows;
  for (auto i = first; i < first + count; i++)
    rows.push_back (in.rows ().at (place + i));
  return rows;
}

} // namespace sino::slice
