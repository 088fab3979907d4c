// SPDX-License-Identifier: LGPL-3.0-or-later
// The lines of a block (filters/point/block-lines.hpp). OpenCL C 1.2.
typedef struct {
  int width, angles, angle_step, places, place_step, lanes, last_lanes;
} BlockLines;

inline int angle_of (BlockLines b, int line)
{
  return line / b.angle_step % b.angles;
}

// Whether value x of a line is in a lane without a row, which stays zero.
inline bool is_padding (BlockLines b, int line, int x)
{
  return b.last_lanes < b.lanes && line / b.place_step % b.places == b.places - 1 && x % b.lanes >= b.last_lanes;
}
