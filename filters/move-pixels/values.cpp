// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/values.hpp"
#include "base/half.hpp"

namespace sino::move_pixels {

template <class Put> static void each (Element element, const std::byte *from, int64_t count, Put put)
{
  const auto go = [&] (const auto *values, auto convert) {
    for (int64_t i = 0; i < count; i++)
      put (i, convert (values[i]));
  };
  const auto plain = [] (auto value) { return static_cast<float> (value); };
  switch (element) {
  case Element::u8:
    return go (reinterpret_cast<const uint8_t *> (from), plain);
  case Element::u16:
    return go (reinterpret_cast<const uint16_t *> (from), plain);
  case Element::f16:
    return go (reinterpret_cast<const uint16_t *> (from), half_to_float);
  case Element::f32:
    return go (reinterpret_cast<const float *> (from), plain);
  }
}

void add_values (Element element, const std::byte *from, int64_t count, float *to)
{
  each (element, from, count, [to] (int64_t i, float value) { to[i] += value; });
}

void load_values (Element element, const std::byte *from, int64_t count, float *to)
{
  each (element, from, count, [to] (int64_t i, float value) { to[i] = value; });
}

} // namespace sino::move_pixels
