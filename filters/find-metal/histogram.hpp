// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>

namespace sino::find_metal {

// Numbers of floats by their first 16 bits: the values of a bin differ by less than 1/128 of themselves. Bins have the
// order of the values.
class Histogram
{
public:
  static constexpr size_t bins = 1 << 16;
  static constexpr size_t bytes = bins * sizeof (int64_t);

  // Ignores NaN and infinite values.
  void add (float value)
  {
    if (!std::isfinite (value))
      return;
    const auto bits = std::bit_cast<uint32_t> (value + 0.0F); // makes -0 and 0 equal
    (*counts)[(bits & sign ? ~bits : bits | sign) >> 16]++;
  }
  void add (const Histogram &other)
  {
    for (size_t bin = 0; bin < bins; bin++)
      (*counts)[bin] += (*other.counts)[bin];
  }

  int64_t count (size_t bin) const { return (*counts)[bin]; }
  // The number of values that are those of the bin with the other sign.
  int64_t opposites (size_t bin) const { return (*counts)[bins - 1 - bin]; }
  // The middle of a bin; 0 for the bin of 0.
  static double value_of (size_t bin)
  {
    const auto bits = static_cast<uint32_t> (bin) << 16;
    if (bits == sign)
      return 0;
    return static_cast<double> (std::bit_cast<float> (bits & sign ? (bits | 0x8000) ^ sign : ~(bits | 0x8000)));
  }

  // Calls `each (value, count, opposites)` for all bins with values, in the order of the values.
  template <class Each> void walk (Each each) const
  {
    for (size_t bin = 0; bin < bins; bin++)
      if (const auto n = count (bin); n > 0)
        each (value_of (bin), static_cast<double> (n), static_cast<double> (opposites (bin)));
  }

private:
  static constexpr uint32_t sign = 0x80000000;
  std::unique_ptr<std::array<int64_t, bins>> counts = std::make_unique<std::array<int64_t, bins>> ();
};

} // namespace sino::find_metal
