// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds saturation below the greatest value of a type, for example at 4095 in u16 from a 12-bit camera: many counts are
// at the greatest value, although noise alone would give ever fewer counts towards it.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <cstddef>
#include <vector>

namespace sino::flat_field {

class PileUp
{
public:
  // Ignores values of at least `top`, and values that are not integers below 2^16.
  PileUp (int64_t frames, float top, const Cpu &cpu);

  // Adds pixels of a frame.
  void take (int64_t frame, Element element, const std::byte *pixels, int64_t n);

  struct Found {
    float at = 0;
    int64_t values = 0;    // number of values at `at`; 0: no saturation
    bool doubtful = false; // most values are at `at`, and nothing shows whether they are saturated
  };
  // `noisy`: pixels have noise. Without noise, many values may be equal without saturation.
  Found find (bool noisy) const;

  static size_t bytes_for (int64_t frames);

private:
  const float top;
  const Cpu &cpu;
  std::vector<int64_t> counts;   // [thread][value]
  std::vector<int32_t> greatest; // [thread][frame]; -1: none
  bool whole = true;             // all values are integers

  int64_t frames () const;
  int64_t count_of (int64_t value) const;
};

} // namespace sino::flat_field
