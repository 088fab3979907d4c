// SPDX-License-Identifier: LGPL-3.0-or-later
// The part of a source that a mapping of a virtual dataset takes, image by image.
#pragma once
#include "tasks/hdf5/library.hpp"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sino::hdf5 {

// Regular selection along an axis: one block per stride.
struct Comb {
  uint64_t start = 0, stride = 1, block = 1, n = 0;

  uint64_t at (uint64_t i) const { return start + i / block * stride + i % block; }
  bool touches (uint64_t begin, uint64_t end) const; // whether it has numbers in this interval
};

// A regular selection, with a number for each axis.
struct Hyperslab {
  std::vector<hsize_t> start, stride, count, block;
};
// None if the selection is not regular.
std::optional<Hyperslab> hyperslab_of (hid_t selection);

// Maps image i of `from` to the i-th image of `into`.
struct Mapping {
  std::array<Comb, 3> from;
  Comb into;
  bool whole = false; // whole images of the source are taken
};

// None if source and target do not correspond image by image. `source`, `extent`: sizes of the two datasets.
std::optional<Mapping> mapping_of (hid_t from, const std::vector<hsize_t> &source, hid_t into,
                                   const std::vector<hsize_t> &extent);

} // namespace sino::hdf5
