// SPDX-License-Identifier: LGPL-3.0-or-later
// The truth is the definition of rounding: of the two neighbouring halves the nearer one, of equally near ones the
// even one, found by search among all 65536 halves decoded in double.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sino::test {

inline double decode (uint32_t half)
{
  const int exponent = (half >> 10) & 31, mantissa = half & 1023;
  const double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp (1024 + mantissa, exponent - 25) : std::ldexp (mantissa, -24));
}

inline uint16_t nearest_half (float value)
{
  const uint16_t sign = std::signbit (value) ? 0x8000 : 0;
  const double v = std::fabs (static_cast<double> (value));
  // What 0x7c00 would stand for without infinity: rounding up to it overflows.
  const auto at = [] (int half) { return half == 0x7c00 ? 65536.0 : decode (static_cast<uint32_t> (half)); };
  int low = 0, high = 0x7c00; // at (low) <= v < at (high)
  if (v >= at (high))
    return sign | 0x7c00;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (at (middle) <= v ? low : high) = middle;
  }
  const double below = v - at (low), above = at (high) - v;
  const bool up = above < below || (above == below && low % 2 == 1);
  return static_cast<uint16_t> (sign | (up ? high : low));
}

// Every half, the float just below and above it, the middle between it and the next, and that one's neighbours.
inline std::vector<float> all_halves ()
{
  std::vector<float> values;
  for (uint32_t half = 0; half < 65536; half++) {
    const auto value = static_cast<float> (decode (half));
    values.push_back (value);
    if ((half & 0x7fff) > 0x7c00)
      continue;
    const auto next = (half & 0x7fff) == 0x7bff ? std::copysign (65536., decode (half)) : decode (half + 1);
    const auto middle = static_cast<float> ((decode (half) + next) / 2);
    for (const float v : {value, middle})
      for (const float to : {-INFINITY, INFINITY})
        values.push_back (std::nextafter (v, to));
    values.push_back (middle);
  }
  return values;
}

inline std::vector<float> random_bits (size_t n)
{
  std::vector<float> values (n);
  uint32_t state = 7;
  for (auto &v : values) {
    state = state * 1664525u + 1013904223u;
    v = std::bit_cast<float> (state ^ state >> 15);
  }
  return values;
}

// About the range of halves.
inline std::vector<float> about_halves (size_t n)
{
  auto values = random_bits (n);
  for (auto &v : values)
    v = std::ldexp (1.f + std::fabs (std::fmod (v, 1.f)), static_cast<int> (std::bit_cast<uint32_t> (v) % 44) - 27);
  return values;
}

} // namespace sino::test
