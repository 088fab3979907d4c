// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>

namespace sino {

enum class Element : uint8_t { u8, u16, f16, f32 };

constexpr size_t size_of (Element e)
{
  return e == Element::u8 ? 1 : e == Element::f32 ? 4 : 2;
}

constexpr const char *name_of (Element e)
{
  constexpr const char *names[] = {"u8", "u16", "f16", "f32"};
  return names[static_cast<size_t> (e)];
}

// The greatest count of a detector, which dead or saturated pixels may have. `top`: the value for f32.
constexpr float greatest_of (Element e, float top)
{
  return e == Element::u8 ? 255.f : e == Element::u16 ? 65535.f : top;
}

} // namespace sino
