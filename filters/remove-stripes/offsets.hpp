// SPDX-License-Identifier: LGPL-3.0-or-later
// A number for each column by which it is above those beside it at all angles, less what its noise may be.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "kernels/remove-stripes/ranks.hpp"
#include <span>
#include <vector>

namespace sino::remove_stripes {

class Offsets
{
public:
  // Offsets of sinograms with so many angles, by medians over `size` columns.
  Offsets (int64_t angles, int64_t columns, int size);

  // What it takes: memory for groups of so many lanes.
  void memory (int64_t lanes, int64_t threads, Bill &bill) const;
  // Subtracts them from the sinograms in `lanes` of a group. `bridges`: one for each column, or none.
  void remove (const Cpu &cpu, Allotment &memory, const Shape &group, int64_t lanes, std::span<const Bridge> bridges,
               const float *in, float *out) const;

private:
  int64_t means, columns, size; // means: of neighbouring angles

  struct Work;
};

} // namespace sino::remove_stripes
