// SPDX-License-Identifier: LGPL-3.0-or-later
// The images of a block, which follow each other in memory: [image][row][column][lane].
#pragma once
#include "stream/block.hpp"

namespace sino::move_pixels {

struct Images {
  int64_t count, first; // first: number of the first image in the stream
  Rows rows;
  int64_t width, lanes;
  size_t bytes; // bytes of a row of an image

  explicit Images (const Block &block)
      : first (block.angles ().begin), rows (block.rows ()), width (block.line ()), lanes (block.lanes ())
  {
    const auto &format = block.format ();
    if (format.kind () != Kind::projections) {
      first = block.rows ().begin;
      rows = {0, format.axes[1].extent};
      width = format.axes[2].extent;
    }
    count = block.values () / std::max<int64_t> (rows.size () * width * lanes, 1);
    bytes = static_cast<size_t> (width * lanes) * size_of (format.element);
  }
  size_t place (int64_t image, int64_t row) const { return static_cast<size_t> (image * rows.size () + row) * bytes; }
  int64_t line () const { return width * lanes; } // values of a row
};

} // namespace sino::move_pixels
