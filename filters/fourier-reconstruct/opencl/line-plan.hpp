// SPDX-License-Identifier: LGPL-3.0-or-later
// How transform.cl transforms lines of a length on a device.
#pragma once
#include "device/facts.hpp"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sino::fourier_reconstruct {

struct LinePlan {
  int64_t length;
  std::vector<int> radices; // their product is the length; at most 5, of 2, 3, 4, 5, 8 and 16
  int items, lines;         // work-items of a line, and lines of a group
  bool unrolled;            // for GPUs

  int values () const; // of a work-item, at most
  size_t local_memory () const;
  std::string options (bool forward) const; // of the compiler
  // e^(2 pi i k / length), k = 0 ... length - 1; complex.
  std::vector<std::array<float, 2>> turns () const;
};

// None for lengths that have other factors, and where a line does not fit in the local memory of a group.
std::optional<LinePlan> line_plan (int64_t length, const OpenclFacts &facts);

} // namespace sino::fourier_reconstruct
