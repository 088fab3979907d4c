// SPDX-License-Identifier: LGPL-3.0-or-later
// Moves that interpolate between the pixels of an image: linear, or with the cubic spline through all pixels (M. Unser,
// Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16, 1999). Beyond its border
// an image continues with the nearest pixel.
#pragma once
#include "filters/move-pixels/move.hpp"
#include "glue/property.hpp"
#include "kernels/move-pixels/spline.hpp"

namespace sino::move_pixels {

enum class Interpolation : uint8_t { linear, cubic };
constexpr Nick<Interpolation> interpolations[] = {{Interpolation::linear, "linear"}, {Interpolation::cubic, "cubic"}};

class Resampled : public Move
{
public:
  Rows needs (Rows rows) const final;
  void make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const final;
  int64_t together () const final { return tile_rows; }
  size_t scratch (int64_t lanes) const final;
  families::Problem problem () const final;
  void device_memory (const DeviceSizes &sizes, Bill &bill) const final;
  std::unique_ptr<OpenclMove> on (const OpenclSite &site) const final;

protected:
  // Whether values move along rows only, or also between rows.
  enum class Mixes : uint8_t { columns, rows_too };
  struct Reach {
    double first, last;
  };

  Resampled (Element e, Extent image, Interpolation i, Mixes m)
      : Move (e, image, Element::f32, image), interpolation (i), mixes (m)
  {
  }

  struct Point {
    double column, row;
  };

  // Calls source (column) to get the source position of each pixel.
  template <class Source>
  static void fill (Interval columns, double *from_columns, double *from_rows, const Source &source)
  {
    for (int64_t i = 0; i < columns.size (); i++) {
      const Point place = source (columns.at (i));
      from_columns[i] = place.column;
      from_rows[i] = place.row;
    }
  }

  // Source positions of the pixels of a row, in pixels; the centre of the first pixel is 0.
  virtual void points (int64_t frame, int64_t row, Interval columns, double *from_columns, double *from_rows) const = 0;
  // Range of source rows for a row, over all frames.
  virtual Reach reach_of (int64_t row) const = 0;
  // Whether the source columns of all rows and the source rows of all columns are the same, in the stream or in an
  // image; or whether each pixel has its own, the same in all images.
  enum class Same : uint8_t { in_stream, in_image, for_pixel };
  virtual Same same () const { return Same::for_pixel; }

private:
  static constexpr int64_t tile_rows = 64, tile_columns = 256;
  struct Tile;
  class There;
  struct Memory;

  // Beyond this distance from the border, all values equal the nearest pixel.
  static constexpr int64_t border = spline_reach + 2;

  const Interpolation interpolation;
  const Mixes mixes;

  void make (const Picture &in, int64_t frame, Rows rows, Interval columns, float *out, Tile &tile) const;
  void fill_plane (const Picture &in, Interval wide, Interval high, Tile &tile) const;
};

} // namespace sino::move_pixels
