// SPDX-License-Identifier: LGPL-3.0-or-later
// Joins a row and the mirror image of the one half a turn later to a wider one.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace sino::stitch_360 {

// The columns of the wider row are those of the first one, continued beyond the border that is nearer to the axis: they
// keep their values as far as both do not overlap. The mirror image lies between them, and is interpolated.
class Join
{
public:
  Join () = default;
  Join (int64_t columns, double axis);

  int64_t width () const { return last - first + 1; }
  int64_t shift () const { return -first; } // where the first column of the detector goes
  double overlap () const { return overlapping; }
  // Of the mirror images, columns: two columns of the detector meet everywhere.
  bool exact () const { return share == 0; }

  // Loops over rows in lanes: columns x lanes values.
  class Loops
  {
  public:
    // `alone`: no mirror image comes, and a row counts for it, too.
    Loops (const Join &join, int64_t lanes, bool alone);

    static int64_t scratch (int64_t columns, int64_t lanes) { return (columns + taps) * lanes; } // values

    // Fills a wider row with a row, weighted.
    void direct (const float *row, float *wide) const;
    // Adds the mirror image of another, weighted.
    void mirror (const float *row, float *wide, float *scratch) const;

  private:
    const Join &join;
    const int64_t lanes;
    std::vector<float> direct_weights, mirror_weights; // of the values of a wider row
  };

private:
  static constexpr int64_t reach = 4, taps = 2 * reach;

  int64_t columns = 0;
  int64_t first = 0, last = 0;               // of the wider row, in columns of the detector
  int64_t mirror_first = 0, mirror_last = 0; // those that the mirror image has
  int64_t offset = 0; // of the mirror image's columns to those of the detector, to be rounded down
  double axis = 0, share = 0, overlapping = 0;
  std::array<float, taps> kernel = {};

  double weight (int64_t column) const; // of the row
};

} // namespace sino::stitch_360
