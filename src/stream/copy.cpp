// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/copy.hpp"
#include <cstring>

namespace sino {

template <size_t Size>
static void copy_line (const std::byte *from, int64_t from_step, std::byte *to, int64_t to_step, int64_t n)
{
  if (from_step == 1 && to_step == 1)
    std::memcpy (to, from, static_cast<size_t> (n) * Size);
  else
    for (int64_t i = 0; i < n; i++)
      std::memcpy (to + static_cast<size_t> (i * to_step) * Size, from + static_cast<size_t> (i * from_step) * Size,
                   Size);
}

void copy_common (const Block &from, Block &to)
{
  const size_t size = size_of (from.format ().element);
  const auto copy = size == 1 ? copy_line<1> : size == 2 ? copy_line<2> : copy_line<4>;
  const Interval angles = from.angles ().meet (to.angles ());
  // Angles come first: rows in lanes have their values of an angle side by side.
  for (int64_t a = angles.begin; a < angles.end; a++)
    for (int64_t r = 0; r < to.rows ().size (); r++) {
      const int64_t place = from.rows ().place (to.rows ().at (r));
      if (place < 0)
        continue;
      const auto source = static_cast<size_t> (from.offset (a - from.angles ().begin, place));
      const auto target = static_cast<size_t> (to.offset (a - to.angles ().begin, r));
      copy (from.data () + source * size, from.lanes (), to.data () + target * size, to.lanes (), from.line ());
    }
}

Block dense (const Block &block)
{
  if (block.lanes () == 1)
    return block;
  Block copy = make_block (block.format_pointer (), {}, block.region ());
  copy_common (block, copy);
  return copy;
}

} // namespace sino
