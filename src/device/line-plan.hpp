// SPDX-License-Identifier: LGPL-3.0-or-later
// Plan of how fft/line.cl transforms lines of a given length on a device.
#pragma once
#include "device/bill.hpp"
#include "device/facts.hpp"
#include "device/opencl.hpp"
#include <optional>
#include <string>
#include <vector>

namespace sino {

struct SINO_VISIBLE LinePlan {
  int64_t length;
  std::vector<int> radices; // their product is the length; at most 5, of 2, 3, 4, 5, 8 and 16
  int items, lines;         // work-items per line, and lines per group
  bool unrolled;            // faster on GPUs

  int values () const; // largest number per work-item
  size_t local_memory () const;
  std::string options () const; // options for the compiler of the kernel
  size_t turns_bytes () const;  // size of the table of take_turns ()
};

// None if the length has other factors, or a line does not fit in the local memory of a group.
SINO_VISIBLE std::optional<LinePlan> line_plan (int64_t length, const OpenclFacts &facts);

// Table of e^(2 pi i k / length), k = 0 ... length - 1, in a buffer that is an item of the bill.
SINO_VISIBLE cl::Buffer take_turns (const OpenclDevice &device, const LinePlan &plan, Allotment &memory,
                                    const char *item);

} // namespace sino
