// SPDX-License-Identifier: LGPL-3.0-or-later
// Turns an image into another one with its pixels at other places. Each filter that moves pixels has its own. The same
// moves are applied to projections and to their darks and flats.
#pragma once
#include "base/visibility.hpp"
#include "device/bill.hpp"
#include "families/family.hpp"
#include "stream/element.hpp"
#include "stream/rows.hpp"
#include <cstddef>
#include <cstdint>

namespace sino::move_pixels {

// Some rows of an image in memory: [row][column][lane]. Lanes are images that move alike.
struct Picture {
  const std::byte *data; // memory of the first of `rows`
  Rows rows;             // row numbers in the image
  int64_t width;
  int64_t lanes = 1;
};

struct Extent {
  int64_t width, height;
};

// Sizes of the largest work item on a device.
struct DeviceSizes {
  int64_t rows_in, rows_out; // rows of an image
  int64_t images;            // images of a block
  size_t threads;
  size_t largest_table; // bytes of a table of pixels, from which a device gets more in parts
};

class OpenclMove;
struct OpenclSite;

class Move : NoCopy
{
public:
  Move (Element e, Extent f, Element m, Extent t) : element (e), made (m), from (f), to (t) {}
  virtual ~Move () = default;

  const Element element, made; // types of the input values and of the output values
  const Extent from, to;

  // Rows of the image that are needed to make `rows` of the moved image (not empty): at least one.
  virtual Rows needs (Rows rows) const = 0;
  // Makes rows of image `frame` of the stream, densely. `in` has the rows that they need. A pixel's value does not
  // depend on the rows made in the same call. Any thread may call it.
  virtual void make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const = 0;
  // Number of rows that are best made in one call.
  virtual int64_t together () const { return 16; }
  // Bytes of temporary memory of a call of make ().
  virtual size_t scratch (int64_t lanes) const = 0;

  // For filters with OpenCL kernels: what the kernels depend on, as words of the family; the memory that they take
  // besides the blocks; the move on a device.
  virtual families::Problem problem () const { return {}; }
  virtual void device_memory (const DeviceSizes &, Bill &) const {}
  virtual std::unique_ptr<OpenclMove> on (const OpenclSite &site) const;
};

} // namespace sino::move_pixels
