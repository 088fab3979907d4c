// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/point/values.hpp"
#include "base/error.hpp"
#include "kernels/flat-field/correct.hpp"
#include <array>
#include <atomic>
#include <cstring>

namespace sino::point {

namespace {

using Floats = std::array<float, piece>;

// Returns n values as floats, beginning with value `first`: converted in `scratch`, or in place for f32. Null for no
// block.
const float *floats (const Block &block, int64_t first, int64_t n, Floats &scratch)
{
  if (!block)
    return nullptr;
  const auto element = block.format ().element;
  if (element == Element::f32)
    return block.as<float> () + first;
  flat_field::widen (element, block.data () + static_cast<size_t> (first) * size_of (element), n, scratch.data ());
  return scratch.data ();
}

// Returns the values of some pixels of a group of lanes as floats, without padding lanes. Null for no block.
const float *unpadded (const Block &block, int64_t first, int64_t pixels, int64_t lanes, Floats &scratch)
{
  if (!block)
    return nullptr;
  const auto element = block.format ().element;
  const auto size = size_of (element), bytes = static_cast<size_t> (lanes) * size;
  std::array<std::byte, piece * sizeof (float)> side_by_side;
  for (int64_t i = 0; i < pixels; i++)
    std::memcpy (side_by_side.data () + static_cast<size_t> (i) * bytes,
                 block.data () + static_cast<size_t> (first + i * block.lanes ()) * size, bytes);
  flat_field::widen (element, side_by_side.data (), pixels * lanes, scratch.data ());
  return scratch.data ();
}

} // namespace

void ValueWorker::run (std::span<Input *const> inputs, Output *output)
{
  Input *const other = inputs.size () > 1 ? inputs[1] : nullptr;
  while (const Block x = inputs[0]->pop ()) {
    const Block y = other ? other->pop () : Block ();
    if (other && (!y || !(y.region () == x.region ()) || y.lanes () != x.lanes ()))
      fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
    Block out = output->next ();
    const auto lanes = x.rows ().size () % x.lanes ();
    const auto padded = lanes > 0 ? x.angles ().size () * x.line () * x.lanes () : 0; // values of the last group
    auto limited = make_full (x, y, x.values () - padded, out);
    if (lanes > 0)
      limited += make_padded (x, y, lanes, out);
    count (limited, x.rows ().size () * x.angles ().size () * x.line ());
    output->push (std::move (out));
  }
  if (other && other->pop ())
    fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
}

int64_t ValueWorker::make_full (const Block &x, const Block &y, int64_t values, Block &out) const
{
  const auto size = size_of (out.format ().element);
  std::atomic<int64_t> limited{0};
  cpu.parallel (values, 1 << 16, [&] (int64_t begin, int64_t end) {
    Floats x_floats, y_floats;
    int64_t sum = 0;
    for (auto i = begin; i < end; i += piece) {
      const auto n = std::min (piece, end - i);
      sum += make (floats (x, i, n, x_floats), floats (y, i, n, y_floats), n,
                   out.data () + static_cast<size_t> (i) * size);
    }
    limited += sum;
  });
  return limited;
}

// Makes the last group of lanes, in which only some lanes hold sinograms: the others stay zero.
int64_t ValueWorker::make_padded (const Block &x, const Block &y, int64_t lanes, Block &out) const
{
  const auto size = size_of (out.format ().element);
  const auto pixels = x.angles ().size () * x.line (), step = int64_t{x.lanes ()};
  const auto group = out.values () - pixels * step;
  std::atomic<int64_t> limited{0};
  cpu.parallel (pixels, (1 << 16) / step, [&] (int64_t begin, int64_t end) {
    Floats x_floats, y_floats;
    std::array<std::byte, piece * sizeof (float)> made;
    int64_t sum = 0;
    for (auto i = begin; i < end; i += piece / step) {
      const auto n = std::min (piece / step, end - i);
      auto *to = out.data () + static_cast<size_t> (group + i * step) * size;
      sum += make (unpadded (x, group + i * step, n, lanes, x_floats),
                   unpadded (y, group + i * step, n, lanes, y_floats), n * lanes, made.data ());
      std::memset (to, 0, static_cast<size_t> (n * step) * size);
      for (int64_t p = 0; p < n; p++)
        std::memcpy (to + static_cast<size_t> (p * step) * size, made.data () + static_cast<size_t> (p * lanes) * size,
                     static_cast<size_t> (lanes) * size);
    }
    limited += sum;
  });
  return limited;
}

} // namespace sino::point
