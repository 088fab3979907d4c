// SPDX-License-Identifier: LGPL-3.0-or-later
// A group of views back-projected onto a tile of a slab.
#pragma once
#include "kernels/cone-back-project/native/sight.hpp"
#include <span>

namespace sino::cone_back_project {

// The packed views of a group.
struct Views {
  const Packing &packing;
  const std::byte *bins;
  std::span<const float> units; // what packed values are multiples of
  int64_t first;                // view of the scan
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
// The sums of a tile, [line][column][slice], and what the kernels need besides; aligned to 64.
size_t tile_memory (Manner manner);

// Sets the sums of the slices from and to multiples of 16 that hold `slices`, counted from the slab's first.
void back_project (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory);

// What they run on: "AVX3".
const char *instruction_set ();

} // namespace sino::cone_back_project
