// SPDX-License-Identifier: LGPL-3.0-or-later
// A slice through a volume along one of its axes, or a part of a slice, with fewer pixels where so many are not seen.
#pragma once
#include "monitor/volume/volume.hpp"
#include <span>

namespace sino::monitor {

// Pixels of a slice: `across` along its lines, `down` from line to line; the ends are excluded.
struct Box {
  int64_t left = 0, top = 0, right = 0, bottom = 0;

  int64_t width () const { return right - left; }
  int64_t height () const { return bottom - top; }
};

// What to read. Axis 0 gives slices with z = index, whose lines run along x; axis 1 those with y = index, whose lines
// run along x, too; axis 2 those with x = index, whose lines run along y.
struct Sight {
  int axis = 0;
  int64_t index = 0;
  Box box;
  int level = 0;      // 2^level pixels of the file along both sides become one
  bool quick = false; // leaves pixels out where that is faster
};

// Values of a slice, line by line.
struct Plane {
  int64_t width = 0, height = 0;
  std::vector<float> values;
  int level = 0;
  bool full = true; // each value is the mean of all its pixels; otherwise one of them
};

// The axes along the lines of a slice, and from line to line.
constexpr int axis_across (int axis)
{
  return axis == 2 ? 1 : 2;
}
constexpr int axis_down (int axis)
{
  return axis == 0 ? 1 : 0;
}

// The whole slice.
Box whole_box (const Volume &volume, int axis);

// Seconds that it takes to read all pixels, estimated.
double seconds_to_read (const Volume &volume, const Sight &sight);

// Reads a slice. Where reading all pixels would take longer than `seconds`, some are left out and others repeated.
Plane read_plane (const Volume &volume, const Sight &sight, double seconds, const formats::Reading &reading);

// A part of a full plane of level 0, at a level. A mean leaves out values that are not finite, and is NaN if all are.
Plane reduced (const Plane &plane, const Box &box, int level, const Cpu &cpu);

// Values in this machine's byte order as floats.
std::vector<float> floats_of (Element element, std::span<const std::byte> values);

// The plane minus another one of the same size.
void subtract (Plane &plane, const Plane &other);

} // namespace sino::monitor
