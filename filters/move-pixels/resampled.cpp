// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/resampled.hpp"
#include "filters/move-pixels/spline.hpp"
#include "filters/move-pixels/values.hpp"
#include <algorithm>
#include <cmath>

namespace sino::move_pixels {

// Further beyond the border everything is as the nearest pixel.
static constexpr int64_t border = spline_reach + 2;
// Values of a tile's part of the image; where there are more, because pixels come from far apart, it is cut.
static constexpr int64_t most_values = 160 << 10;

// Pixels that are made at once, and the part of the image that they are made of.
struct Resampled::Tile {
  std::vector<Point> points;
  std::vector<float> values, half, plane; // as they are; coefficients along rows; along both
  Interval columns, rows;                 // of the plane
};

static int64_t floor_of (double place, int64_t extent)
{
  const auto end = static_cast<double> (extent - 1 + border);
  // What is no number comes from the first pixel.
  return static_cast<int64_t> (std::floor (place > -border ? std::min (place, end) : -border));
}

size_t Resampled::scratch (int64_t) const
{
  return tile_rows * tile_columns * sizeof (Point) + 3 * most_values * sizeof (float);
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
  const auto all =
      widened (taps (interpolation, floor_of (least, from.height), floor_of (most, from.height)), interpolation);
  const auto first = std::clamp<int64_t> (all.begin, 0, from.height - 1);
  return {first, std::clamp<int64_t> (all.end, first + 1, from.height)};
}

// Columns of a row; beyond the border the nearest ones.
static void load (Element element, const std::byte *row, int64_t width, Interval columns, float *to)
{
  const auto size = static_cast<int64_t> (size_of (element));
  const auto inside = columns.meet ({0, width});
  if (!inside.empty ())
    load_values (element, row + inside.begin * size, inside.size (), to + (inside.begin - columns.begin));
  float edge = 0;
  if (columns.begin < 0) {
    load_values (element, row, 1, &edge);
    std::fill_n (to, std::min<int64_t> (columns.end, 0) - columns.begin, edge);
  }
  if (const auto first = std::max (columns.begin, width); first < columns.end) {
    load_values (element, row + (width - 1) * size, 1, &edge);
    std::fill (to + (first - columns.begin), to + columns.size (), edge);
  }
}

void Resampled::make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const
{
  Tile tile;
  for (auto row = rows.begin; row < rows.end; row += tile_rows)
    for (int64_t column = 0; column < to.width; column += tile_columns)
      make (in, frame, {row, std::min (row + tile_rows, rows.end)},
            {column, std::min (column + tile_columns, to.width)},
            reinterpret_cast<float *> (out) + (row - rows.begin) * to.width + column, tile);
}

void Resampled::make (const Picture &in, int64_t frame, Rows rows, Interval columns, float *out, Tile &tile) const
{
  const bool cubic = interpolation == Interpolation::cubic, both = cubic && mixes == Mixes::rows_too;
  tile.points.resize (static_cast<size_t> (rows.size () * columns.size ()));
  for (auto row = rows.begin; row < rows.end; row++)
    points (frame, row, columns, &tile.points[static_cast<size_t> ((row - rows.begin) * columns.size ())]);
  Interval across, down;
  for (const auto &point : tile.points) {
    const auto column = floor_of (point.column, from.width), row = floor_of (point.row, from.height);
    across = tile.points.data () == &point ? Interval{column, column + 1} : across.cover ({column, column + 1});
    down = tile.points.data () == &point ? Interval{row, row + 1} : down.cover ({row, row + 1});
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
  for (int64_t i = 0; i < rows.size (); i++) {
    const auto count = columns.size ();
    std::copy_n (tile.points.begin () + i * count, count, tile.points.begin ());
    if (mixes == Mixes::columns) // one row of the plane each
      for (int64_t c = 0; c < count; c++)
        tile.points[static_cast<size_t> (c)].row = static_cast<double> (rows.at (i));
    sample (count, out + i * to.width, tile);
  }
}

// Of a and b; b does not count where nothing of it is wanted, even if it is no number.
static float between (float a, float b, float behind)
{
  return behind > 0 ? a + behind * (b - a) : a;
}

void Resampled::sample (int64_t count, float *out, const Tile &tile) const
{
  const auto width = tile.columns.size ();
  for (int64_t i = 0; i < count; i++) {
    const auto &point = tile.points[static_cast<size_t> (i)];
    const auto column = floor_of (point.column, from.width), row = floor_of (point.row, from.height);
    const auto x = static_cast<float> (std::clamp (point.column - static_cast<double> (column), 0.0, 1.0)),
               y = static_cast<float> (std::clamp (point.row - static_cast<double> (row), 0.0, 1.0));
    if (interpolation == Interpolation::linear) {
      const auto *at = &tile.plane[static_cast<size_t> ((row - tile.rows.begin) * width + column - tile.columns.begin)];
      const float upper = between (at[0], at[1], x);
      out[i] = y > 0 ? between (upper, between (at[width], at[width + 1], x), y) : upper;
      continue;
    }
    const auto across = spline_weights (x);
    const auto along = [&] (const float *at) {
      return across[0] * at[0] + across[1] * at[1] + across[2] * at[2] + across[3] * at[3];
    };
    const auto *at = &tile.plane[static_cast<size_t> (column - 1 - tile.columns.begin)];
    if (mixes == Mixes::columns) {
      out[i] = along (at + (row - tile.rows.begin) * width);
      continue;
    }
    const auto down = spline_weights (y);
    at += (row - 1 - tile.rows.begin) * width;
    out[i] = down[0] * along (at) + down[1] * along (at + width) + down[2] * along (at + 2 * width) +
             down[3] * along (at + 3 * width);
  }
}

} // namespace sino::move_pixels
