// SPDX-License-Identifier: LGPL-3.0-or-later
// IEEE 754 binary16, one value at a time.
#pragma once
#include <bit>
#include <cstdint>

namespace sino {

// Rounds to nearest, ties to even; too large becomes infinity.
constexpr uint16_t half_from_float (float value)
{
  const auto bits = std::bit_cast<uint32_t> (value);
  const auto sign = static_cast<uint16_t> (bits >> 16 & 0x8000);
  const auto magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) // NaN
    return static_cast<uint16_t> (sign | 0x7e00);
  if (magnitude >= 0x477ff000) // 65520, half way beyond the greatest finite value
    return static_cast<uint16_t> (sign | 0x7c00);
  if (magnitude < 0x38800000) { // 2^-14; smaller values are multiples of 2^-24, to which adding 1/2 rounds
    const auto shifted = std::bit_cast<float> (magnitude) + 0.5f;
    return static_cast<uint16_t> (sign | (std::bit_cast<uint32_t> (shifted) - 0x3f000000));
  }
  const auto odd = magnitude >> 13 & 1;
  return static_cast<uint16_t> (sign | ((magnitude - 0x38000000 + 0xfff + odd) >> 13));
}

constexpr float half_to_float (uint16_t half)
{
  const auto sign = static_cast<uint32_t> (half & 0x8000) << 16;
  const uint32_t magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00)
    return std::bit_cast<float> (sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude < 0x400) {
    const auto value = static_cast<float> (magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  return std::bit_cast<float> (sign | ((magnitude << 13) + 0x38000000));
}

} // namespace sino
