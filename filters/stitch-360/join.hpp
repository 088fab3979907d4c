// SPDX-License-Identifier: LGPL-3.0-or-later
// Joins a row and the mirror image of the row half a turn later into a wider row.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::stitch_360 {

// The columns of the wider row are those of the first row, continued beyond the border nearer to the axis. Outside of
// the overlap they keep their values. The mirror image lies between columns and is interpolated.
class Join
{
public:
  Join () = default;
  Join (int64_t columns, double axis);

  int64_t columns_in () const { return columns; }
  int64_t width () const { return last - first + 1; }
  int64_t shift () const { return -first; } // index of the detector's first column in the wider row
  double overlap () const { return overlapping; }
  // Whether columns of the mirror image coincide with columns of the detector, so that no interpolation is needed.
  bool exact () const { return share == 0; }

  // Weights of the columns of a wider row, for the row and for the mirror image. `alone`: see Loops.
  std::vector<float> direct_weights (bool alone) const;
  std::vector<float> mirror_weights () const;
  // The mirror image: its columns in the wider row, and the weights of the values that each is a sum of. The first of
  // them is column `start` - i of the row, for column i of the image; the next ones are before it. Beyond its ends a
  // row continues.
  struct Image {
    int64_t first, count, start;
    std::span<const float> parts;
  };
  Image image () const;

  // Loops over rows in lanes, of columns x lanes values.
  class Loops
  {
  public:
    // `alone`: rows are not joined, and a row also replaces its mirror image.
    Loops (const Join &join, int64_t lanes, bool alone);

    static int64_t scratch (int64_t columns, int64_t lanes) { return (columns + taps) * lanes; } // values

    // Fills a wider row with the weighted row.
    void direct (const float *row, float *wide) const;
    // Adds the weighted mirror image of another row.
    void mirror (const float *row, float *wide, float *scratch) const;

  private:
    const Join &join;
    const int64_t lanes;
    std::vector<float> direct_all, mirror_all; // weights of the values in a wider row
  };

private:
  static constexpr int64_t reach = 4, taps = 2 * reach;

  int64_t columns = 0;
  int64_t first = 0, last = 0;               // first and last column of the wider row, as columns of the detector
  int64_t mirror_first = 0, mirror_last = 0; // range of the mirror image
  int64_t offset = 0; // shift from columns of the mirror image to columns of the detector, rounded down
  double axis = 0, share = 0, overlapping = 0;
  std::array<float, taps> kernel = {};

  double weight (int64_t column) const; // weight of the direct row
};

} // namespace sino::stitch_360
