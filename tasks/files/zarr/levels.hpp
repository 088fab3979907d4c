// SPDX-License-Identifier: LGPL-3.0-or-later
// A volume in several resolutions: each level has half of the one before it along all axes, as means of what it stands
// for.
#pragma once
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sino::files {

struct Level {
  std::array<int64_t, 3> extent, chunk; // pages, lines, columns
  std::array<int64_t, 3> reduced;       // voxels of the volume that one of these stands for, along each axis
};

// From the volume itself down to one of at most 128 along all axes. Chunks have about a MiB; those of several pages
// where 64 MiB hold a layer of them.
std::vector<Level> levels_of (const std::array<int64_t, 3> &extent, Element element);

// Makes a page of `to` of two pages of `from`, or of one where `second` is null.
void halve (const Level &from, const Level &to, Element element, const std::byte *first, const std::byte *second,
            std::byte *out, const Cpu &cpu);

} // namespace sino::files
