// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/resampled.hpp"
#include "kernels/flat-field/correct.hpp"
#include "kernels/move-pixels/sample.hpp"
#include <algorithm>
#include <cmath>

namespace sino::move_pixels {

// Values in a tile's part of the image. If pixels come from so far apart that there are more, the tile is divided.
static constexpr int64_t most_values = 160 << 10;

// Pixels that are made at once, and the part of the image that they need.
struct Resampled::Tile {
  std::vector<double> column_places, row_places; // source positions of a row of pixels
  std::vector<int32_t> whole_columns, whole_rows;
  std::vector<float> behind_columns, behind_rows;
  std::vector<float> values, half, plane; // the values; spline coefficients along rows; along both axes
  Interval columns, rows;                 // range of `plane` in the image

  explicit Tile (size_t most)
      : column_places (tile_columns), row_places (tile_columns), whole_columns (most), whole_rows (most),
        behind_columns (most), behind_rows (most)
  {
  }
  Places across (int64_t first)
  {
    return {&whole_columns[static_cast<size_t> (first)], &behind_columns[static_cast<size_t> (first)]};
  }
  Places down (int64_t first)
  {
    return {&whole_rows[static_cast<size_t> (first)], &behind_rows[static_cast<size_t> (first)]};
  }
};

static int64_t floor_of (double place, int64_t extent, int64_t border)
{
  const auto end = static_cast<double> (extent - 1 + border);
  // NaN counts as a position before the first pixel.
  return static_cast<int64_t> (
      std::floor (place > static_cast<double> (-border) ? std::min (place, end) : static_cast<double> (-border)));
}

size_t Resampled::scratch (int64_t) const
{
  return 2 * tile_columns * sizeof (double) + 2 * tile_rows * tile_columns * (sizeof (int32_t) + sizeof (float)) +
         3 * most_values * sizeof (float);
}

static Interval taps (Interpolation interpolation, int64_t first, int64_t last)
{
  return interpolation == Interpolation::linear ? Interval{first, last + 2} : Interval{first - 1, last + 3};
}

static Interval widened (Interval rows, Interpolation interpolation)
{
  const auto by = interpolation == Interpolation::linear ? 0 : spline_reach;
  return {rows.begin - by, rows.end + by};
}

Rows Resampled::needs (Rows rows) const
{
  if (mixes == Mixes::columns)
    return rows;
  auto least = HUGE_VAL, most = -HUGE_VAL;
  for (auto row = rows.begin; row < rows.end; row++) {
    const auto reach = reach_of (row);
    least = std::min (least, reach.first);
    most = std::max (most, reach.last);
  }
  const auto all = widened (
      taps (interpolation, floor_of (least, from.height, border), floor_of (most, from.height, border)), interpolation);
  const auto first = std::clamp<int64_t> (all.begin, 0, from.height - 1);
  return {first, std::clamp<int64_t> (all.end, first + 1, from.height)};
}

// Loads columns of a row. Beyond the border the nearest column is repeated.
static void load (Element element, const std::byte *row, int64_t width, Interval columns, float *to)
{
  const auto size = static_cast<int64_t> (size_of (element));
  const auto inside = columns.meet ({0, width});
  if (!inside.empty ())
    flat_field::widen (element, row + inside.begin * size, inside.size (), to + (inside.begin - columns.begin));
  float edge = 0;
  if (columns.begin < 0) {
    flat_field::widen (element, row, 1, &edge);
    std::fill_n (to, std::min<int64_t> (columns.end, 0) - columns.begin, edge);
  }
  if (const auto first = std::max (columns.begin, width); first < columns.end) {
    flat_field::widen (element, row + (width - 1) * size, 1, &edge);
    std::fill (to + (first - columns.begin), to + columns.size (), edge);
  }
}

// Values of the picture in `wide` columns and `high` rows, as spline coefficients where these are mixed.
void Resampled::fill_plane (const Picture &in, Interval wide, Interval high, Tile &tile) const
{
  const bool cubic = interpolation == Interpolation::cubic, both = cubic && mixes == Mixes::rows_too;
  tile.values.resize (static_cast<size_t> (wide.size () * high.size ()));
  for (auto row = high.begin; row < high.end; row++) {
    const auto place = in.rows.place (std::clamp<int64_t> (row, 0, from.height - 1));
    load (element, in.data + static_cast<size_t> (place * in.width) * size_of (element), in.width, wide,
          &tile.values[static_cast<size_t> ((row - high.begin) * wide.size ())]);
  }
  if (!cubic)
    tile.plane.swap (tile.values);
  else {
    const auto width = tile.columns.size ();
    auto &rows_done = both ? tile.half : tile.plane;
    rows_done.resize (static_cast<size_t> (width * high.size ()));
    for (int64_t i = 0; i < high.size (); i++)
      spline_coefficients (&tile.values[static_cast<size_t> (i * wide.size () + spline_reach)], 1, width,
                           &rows_done[static_cast<size_t> (i * width)]);
    if (both) {
      tile.plane.resize (static_cast<size_t> (width * tile.rows.size ()));
      spline_coefficients (&tile.half[static_cast<size_t> (spline_reach * width)], width, width * tile.rows.size (),
                           tile.plane.data ());
    }
  }
}

void Resampled::make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const
{
  Tile tile (tile_rows * tile_columns);
  for (auto row = rows.begin; row < rows.end; row += tile_rows)
    for (int64_t column = 0; column < to.width; column += tile_columns)
      make (in, frame, {row, std::min (row + tile_rows, rows.end)},
            {column, std::min (column + tile_columns, to.width)},
            reinterpret_cast<float *> (out) + (row - rows.begin) * to.width + column, tile);
}

void Resampled::make (const Picture &in, int64_t frame, Rows rows, Interval columns, float *out, Tile &tile) const
{
  const bool cubic = interpolation == Interpolation::cubic, both = cubic && mixes == Mixes::rows_too;
  Interval across, down;
  const auto count = columns.size ();
  for (int64_t i = 0; i < rows.size (); i++) {
    points (frame, rows.at (i), columns, tile.column_places.data (), tile.row_places.data ());
    across =
        across.cover (split_places (tile.column_places.data (), count, from.width, border, tile.across (i * count)));
    if (mixes == Mixes::rows_too)
      down = down.cover (split_places (tile.row_places.data (), count, from.height, border, tile.down (i * count)));
  }
  tile.columns = taps (interpolation, across.begin, across.end - 1);
  tile.rows = mixes == Mixes::columns ? rows : taps (interpolation, down.begin, down.end - 1);
  const auto wide = widened (tile.columns, interpolation), high = both ? widened (tile.rows, interpolation) : tile.rows;
  if (wide.size () * high.size () > most_values && rows.size () * columns.size () > 1) {
    const bool halve_columns = columns.size () >= rows.size ();
    const auto middle = halve_columns ? (columns.begin + columns.end) / 2 : (rows.begin + rows.end) / 2;
    if (halve_columns) {
      make (in, frame, rows, {columns.begin, middle}, out, tile);
      make (in, frame, rows, {middle, columns.end}, out + (middle - columns.begin), tile);
    } else {
      make (in, frame, {rows.begin, middle}, columns, out, tile);
      make (in, frame, {middle, rows.end}, columns, out + (middle - rows.begin) * to.width, tile);
    }
    return;
  }

  fill_plane (in, wide, high, tile);
  const Plane plane{tile.plane.data (), tile.columns, tile.rows};
  for (int64_t i = 0; i < rows.size (); i++) {
    const auto lines = tile.down (i * count);
    (cubic ? sample_cubic : sample_linear) (plane, mixes == Mixes::columns ? nullptr : &lines, rows.at (i),
                                            tile.across (i * count), count, out + i * to.width);
  }
}

} // namespace sino::move_pixels
