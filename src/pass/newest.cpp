// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/newest.hpp"
#include <cstring>

namespace sino {

void Newest::keep (const Block &block)
{
  const auto &format = block.format ();
  auto made = std::make_shared<NewSlice> ();
  const auto middle = block.rows ().size () / 2, height = format.extent (Axis::y), width = format.extent (Axis::x);
  while ((height / made->step) * (width / made->step) > most_pixels)
    made->step++;
  made->element = format.element;
  made->number = format.slab_axis () == Axis::z ? format.dim (Axis::z).number (block.rows ().at (middle)) : 0;
  made->height = (height + made->step - 1) / made->step;
  made->width = (width + made->step - 1) / made->step;
  const auto size = size_of (format.element);
  made->values.resize (static_cast<size_t> (made->height * made->width) * size);
  const auto *from = block.data () + static_cast<size_t> (block.offset (0, middle)) * size;
  auto *to = made->values.data ();
  for (int64_t y = 0; y < height; y += made->step)
    for (int64_t x = 0; x < width; x += made->step, to += size)
      std::memcpy (to, from + static_cast<size_t> (y * width + x) * size, size);
  const std::lock_guard guard (mutex);
  slice = std::move (made);
}

} // namespace sino
