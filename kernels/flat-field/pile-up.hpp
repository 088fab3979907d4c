// SPDX-License-Identifier: LGPL-3.0-or-later
// Saturation below the greatest value of a type, as a camera of 12 bits has it at 4095 in u16: counts pile up at the
// greatest one, where noise alone would leave ever fewer.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <cstddef>
#include <vector>

namespace sino::flat_field {

class PileUp
{
public:
  // Values from `top` on, and what are no integers below 2^16, are not looked at.
  PileUp (int64_t frames, float top, const Cpu &cpu);

  // Takes pixels of a frame.
  void take (int64_t frame, Element element, const std::byte *pixels, int64_t n);

  struct Found {
    float at = 0;
    int64_t values = 0;    // that pile up there; 0: none do
    bool doubtful = false; // most values are there, and nothing tells whether they end there
  };
  // `noisy`: pixels differ by chance. What does not may have the same value often without being saturated.
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
