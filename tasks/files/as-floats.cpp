// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/as-floats.hpp"
#include "base/half.hpp"
#include "tasks/files/stack-over.hpp"
#include <cstring>

namespace sino::files {

using namespace formats;

namespace {

class FloatStack final : public StackOver
{
public:
  explicit FloatStack (std::shared_ptr<const Stack> s) : StackOver (std::move (s))
  {
    top = greatest_of (stack->element, stack->top);
    stored_pixel = stack->stored_pixel > 0 ? stack->stored_pixel : size_of (stack->element);
    element = Element::f32;
  }

  // Reads the values to the end of the buffer for the floats, then converts them in place from the begin on.
  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    const auto n = part.pixels (), size = size_of (stack->element);
    auto *from = out + n * (sizeof (float) - size);
    stack->read (part, from, reading);
    for (size_t i = 0; i < n; i++, from += size, out += sizeof (float)) {
      uint16_t word = static_cast<uint8_t> (*from);
      if (size == sizeof word)
        std::memcpy (&word, from, size);
      const auto value = stack->element == Element::f16 ? half_to_float (word) : static_cast<float> (word);
      std::memcpy (out, &value, sizeof value);
    }
  }
};

} // namespace

std::shared_ptr<const Stack> as_floats (std::shared_ptr<const Stack> stack)
{
  if (stack->element == Element::f32)
    return stack;
  return std::make_shared<FloatStack> (std::move (stack));
}

} // namespace sino::files
