// SPDX-License-Identifier: LGPL-3.0-or-later
#include "slices/worker.hpp"
#include "base/error.hpp"
#include <deque>

namespace sino {

namespace {

// The output's blocks that are being filled, in the plan's order.
class Slices
{
public:
  explicit Slices (Output &o) : output (o) {}

  SliceWorker::Slice of_row (int64_t row)
  {
    while (open.empty () || open.back ().rows ().place (row) < 0) {
      open.push_back (output.next ());
      if (!open.back ())
        fail (SINO_ERROR_FAILED, "row %" G_GINT64_FORMAT " came in, but no block of slices holds it", row);
    }
    auto &block = open.back ();
    return {&block, static_cast<size_t> (block.offset (0, block.rows ().place (row))) * sizeof (float)};
  }

  void push_until (int64_t row)
  {
    while (!open.empty () && open.front ().rows ().hull ().end <= row + 1) {
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

} // namespace sino
