// SPDX-License-Identifier: LGPL-3.0-or-later
// A volume in several resolutions: each level has half the resolution of the previous one along all axes; its values
// are means of the voxels that they cover.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <array>
#include <cstddef>
#include <vector>

namespace sino::files {

struct Level {
  std::array<int64_t, 3> extent, chunk; // pages, lines, columns
  std::array<int64_t, 3> reduced;       // number of voxels of the volume covered by one voxel, along each axis
};

// Levels from the volume itself down to one with at most 128 voxels along all axes. Chunks have about 1 MiB; they have
// several pages if a layer of such chunks fits into 64 MiB.
std::vector<Level> levels_of (const std::array<int64_t, 3> &extent, Element element);

// Makes a page of `to` from two pages of `from`, or from one if `second` is null.
void halve (const Level &from, const Level &to, Element element, const std::byte *first, const std::byte *second,
            std::byte *out, const Cpu &cpu);

} // namespace sino::files
