// SPDX-License-Identifier: LGPL-3.0-or-later
// The lines of a block in memory: each is an angle of a row, or of a group of rows in lanes.
#pragma once
#include "stream/block.hpp"

namespace sino::point {

// Line i has the angle i / angle_step % angles of the block, and the group i / place_step % places.
struct BlockLines {
  int64_t width; // values of a line
  int64_t angles, angle_step, places, place_step;
  int64_t lanes, last_lanes; // last_lanes: lanes of the last group that hold rows

  explicit BlockLines (const Block &block)
      : width (block.line () * block.lanes ()), angles (block.angles ().size ()),
        places (divide_up (block.rows ().size (), int64_t{block.lanes ()})), lanes (block.lanes ()),
        last_lanes ((block.rows ().size () - 1) % lanes + 1)
  {
    const bool sinograms = block.format ().kind () == Kind::sinograms;
    angle_step = sinograms ? 1 : places;
    place_step = sinograms ? angles : 1;
  }
  int64_t count () const { return angles * places; }
};

} // namespace sino::point
