// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projects a group of views onto a tile of a slab.
#pragma once
#include "kernels/cone-back-project/native/sight.hpp"
#include <span>

namespace sino::cone_back_project {

// Packed views of a group.
struct Views {
  const Packing &packing;
  const std::byte *bins;
  std::span<const float> units; // for each view, the value of 1 in the packed integers
  int64_t first;                // number of the first view in the scan
  int count;

  Views part (int begin, int size) const
  {
    const auto from = static_cast<size_t> (begin);
    return {packing, bins + from * packing.view * packing.bin (), units.subspan (from), first + begin, size};
  }
};

// Columns and lines of a tile.
constexpr int side_of (Manner manner)
{
  return manner.grouped ? wide_tile_size : tile_size;
}
// Bytes for the sums of a tile, [line][column][slice], and for temporary memory; aligned to 64.
size_t tile_memory (Manner manner);

// Computes the sums of the slices, in whole multiples of 16 that cover `slices`, counted from the slab's first.
void back_project (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory);

// The instruction set in use: "AVX3".
const char *instruction_set ();

} // namespace sino::cone_back_project
