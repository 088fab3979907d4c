// SPDX-License-Identifier: LGPL-3.0-or-later
// What a mapping of a virtual dataset takes of a source, image by image.
#pragma once
#include "tasks/hdf5/library.hpp"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sino::hdf5 {

// Numbers along an axis: blocks, one for each stride.
struct Comb {
  uint64_t start = 0, stride = 1, block = 1, n = 0;

  uint64_t at (uint64_t i) const { return start + i / block * stride + i % block; }
  bool touches (uint64_t begin, uint64_t end) const; // one of them lies there
};

// Image i of `from` is image i of those at `into`.
struct Mapping {
  std::array<Comb, 3> from;
  Comb into;
  bool whole = false; // all pixels of an image of the source are taken
};

// None where the two do not fit image by image. `source`, `extent`: sizes of the two datasets.
std::optional<Mapping> mapping_of (hid_t from, const std::vector<hsize_t> &source, hid_t into,
                                   const std::vector<hsize_t> &extent);

} // namespace sino::hdf5
