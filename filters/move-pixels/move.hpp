// SPDX-License-Identifier: LGPL-3.0-or-later
// How an image becomes another whose pixels lie elsewhere: what the filters that move pixels differ in. The same moves
// are made with projections, and with the darks and flats that travel beside them.
#pragma once
#include "stream/element.hpp"
#include "stream/rows.hpp"
#include <cstddef>
#include <cstdint>

namespace sino::move_pixels {

// Some rows of an image, as they lie in memory: [row][column][lane]. Lanes are images that move alike.
struct Picture {
  const std::byte *data; // the first of the rows
  Rows rows;             // of the image
  int64_t width;
  int64_t lanes = 1;
};

struct Extent {
  int64_t width, height;
};

class Move
{
public:
  Move (Element e, Extent f, Element m, Extent t) : element (e), made (m), from (f), to (t) {}
  virtual ~Move () = default;
  Move (const Move &) = delete;
  Move &operator= (const Move &) = delete;

  const Element element, made; // of what comes, and of what it becomes
  const Extent from, to;

  // Rows of the image that the rows of the moved one, which are not empty, are made of: one at least.
  virtual Rows needs (Rows rows) const = 0;
  // Makes rows of image `frame` of the stream, densely. `in` has those that they need. What a pixel becomes does not
  // depend on which rows are made with it. Any thread.
  virtual void make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const = 0;
  // Rows that are made at once.
  virtual int64_t together () const { return 16; }
  // Bytes that a call of make () takes besides.
  virtual size_t scratch (int64_t lanes) const = 0;
};

} // namespace sino::move_pixels
