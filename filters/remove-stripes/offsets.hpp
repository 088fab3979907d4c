// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds and removes the offset of each column: the amount by which it exceeds its neighbours at all angles, reduced by
// its possible noise.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "kernels/remove-stripes/ranks.hpp"
#include <span>

namespace sino::remove_stripes {

class Offsets
{
public:
  // `angles`, `columns`: size of a sinogram; `size`: number of columns of a median.
  Offsets (int64_t angles, int64_t columns, int size);

  // Number of means over neighbouring angles; at most 255.
  static int64_t means_of (int64_t angles);
  static constexpr int times = 3; // iterations: stripes bias the medians beside them, less in each iteration

  // Memory for `groups` groups with this many lanes at a time.
  void memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const;
  // Subtracts the offsets from the sinograms in the first `lanes` lanes of a group. `bridges`: one per column, or none.
  void remove (const Cpu &cpu, Allotment &memory, const Shape &group, int64_t lanes, std::span<const Bridge> bridges,
               const float *in, float *out) const;

private:
  int64_t means, columns, size; // means: number of means over neighbouring angles

  struct Work;
};

} // namespace sino::remove_stripes
