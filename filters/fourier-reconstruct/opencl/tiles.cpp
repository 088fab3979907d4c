// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/tiles.hpp"
#include "base/error.hpp"
#include "stream/rows.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::fourier_reconstruct {

namespace {

constexpr int64_t small_side = 4;
constexpr int64_t many_terms = 4096; // tiles with more terms are divided, even if most tiles have few
constexpr double slack = 1e-6;       // cells, against rounding: additional terms get the weight 0

// One coordinate of a ray in one image of the grid. The interpolation of term k begins in (k step + offset - 1, k step
// + offset], and covers `width` cells.
struct Path {
  double step, offset;
  int width;

  double at (int64_t k) const { return static_cast<double> (k) * step + offset; }

  // Terms of `all` that touch a cell in [first, first + side).
  Interval within (int64_t first, int64_t side, const Interval &all) const
  {
    const double low = static_cast<double> (first - width) - slack - offset,
                 high = static_cast<double> (first + side - 1) + slack - offset;
    if (step == 0)
      return low < 0 && high >= 0 ? all : Interval{};
    const auto [from, to] = std::minmax ({low / step, high / step});
    const auto begin = std::clamp (std::ceil (from), static_cast<double> (all.begin), static_cast<double> (all.end));
    const auto end = std::clamp (std::floor (to) + 1, static_cast<double> (all.begin), static_cast<double> (all.end));
    return {static_cast<int64_t> (begin), static_cast<int64_t> (end)};
  }
  // Range of tiles, up to `count`, that terms may touch.
  Interval tiles (const Interval &terms, int64_t count) const
  {
    const auto [low, high] = std::minmax ({at (terms.begin), at (terms.end - 1)});
    const auto of = [&] (double cell) {
      const auto tile = std::floor (cell / static_cast<double> (tile_side));
      return static_cast<int64_t> (std::clamp (tile, -1.0, static_cast<double> (count)));
    };
    return Interval{of (low - slack), of (high + width + slack) + 1}.meet ({0, count});
  }
};

struct Paths {
  Path x, y;
};

Paths paths_of (const Step &step, const Gridding &gridding, int image_x, int image_y)
{
  const auto path = [&] (int64_t fixed, int image) {
    const auto offset = static_cast<double> (gridding.grid / 2 + image * gridding.grid) - 0.5 * gridding.phi.width ();
    return Path{std::ldexp (static_cast<double> (fixed), -40), offset, gridding.phi.width ()};
  };
  return {path (step.x, image_x), path (step.y, image_y)};
}

class Builder
{
public:
  Builder (const Gridding &g, std::span<const Ray> r)
      : gridding (g), across (divide_up (g.grid, tile_side)), terms{-g.padded / 2, g.padded / 2 + 1}
  {
    for (const auto &ray : r)
      steps.push_back (step_of (ray, g));
  }

  void build (Tiles &result, std::optional<int64_t> most)
  {
    collect ();
    const auto limit = most.value_or (std::max<int64_t> (many_terms, 8 * mean ()));
    for (int64_t x = 0; x < across; x++) {
      result.column.push_back (result.tiles.size ());
      for (int64_t y = 0; y < across; y++)
        add (result, x, y, limit);
    }
    result.column.push_back (result.tiles.size ());
  }

private:
  const Gridding &gridding;
  const int64_t across;
  const Interval terms;
  std::vector<Step> steps;
  std::vector<Piece> pieces; // sorted by tile
  std::vector<size_t> begin; // the first piece of each tile

  struct Touch {
    uint32_t tile;
    Piece piece;
  };

  // Sorts the pieces of rays by tiles. The pieces of a tile keep the order of rays.
  void collect ()
  {
    std::vector<Touch> touches;
    begin.assign (static_cast<size_t> (across * across) + 1, 0);
    visit ([&] (int64_t tile, const Piece &piece) {
      touches.push_back ({static_cast<uint32_t> (tile), piece});
      begin[static_cast<size_t> (tile) + 1]++;
    });
    for (size_t tile = 1; tile < begin.size (); tile++)
      begin[tile] += begin[tile - 1];
    pieces.resize (begin.back ());
    auto next = begin;
    for (const auto &[tile, piece] : touches)
      pieces[next[tile]++] = piece;
  }

  template <class Take> void visit (Take take) const
  {
    for (size_t ray = 0; ray < steps.size (); ray++)
      for (int image_x = -1; image_x <= 1; image_x++)
        for (int image_y = -1; image_y <= 1; image_y++)
          visit_ray (ray, image_x, image_y, take);
  }

  template <class Take> void visit_ray (size_t ray, int image_x, int image_y, Take &take) const
  {
    const auto [path_x, path_y] = paths_of (steps[ray], gridding, image_x, image_y);
    const auto columns = path_x.tiles (terms, across);
    for (auto x = columns.begin; x < columns.end; x++) {
      const auto in_column = path_x.within (x * tile_side, tile_side, terms);
      if (in_column.empty ())
        continue;
      const auto rows = path_y.tiles (in_column, across);
      for (auto y = rows.begin; y < rows.end; y++) {
        const auto found = path_y.within (y * tile_side, tile_side, in_column);
        if (!found.empty ())
          take (x * across + y, piece_of (ray, found, image_x, image_y));
      }
    }
  }

  static Piece piece_of (size_t ray, const Interval &found, int image_x, int image_y)
  {
    return {.ray = static_cast<int32_t> (ray),
            .first = static_cast<int32_t> (found.begin),
            .begin = 0,
            .count = static_cast<uint16_t> (found.size ()),
            .x = static_cast<int8_t> (image_x),
            .y = static_cast<int8_t> (image_y)};
  }

  std::span<const Piece> pieces_in (size_t tile) const
  {
    return std::span (pieces).subspan (begin[tile], begin[tile + 1] - begin[tile]);
  }

  static int64_t terms_in (std::span<const Piece> some)
  {
    int64_t n = 0;
    for (const auto &piece : some)
      n += piece.count;
    return n;
  }

  // Mean number of terms per tile, without empty tiles.
  int64_t mean () const
  {
    int64_t touched = 0;
    for (size_t tile = 0; tile + 1 < begin.size (); tile++)
      touched += begin[tile + 1] > begin[tile];
    return terms_in (pieces) / std::max<int64_t> (touched, 1);
  }

  void add (Tiles &result, int64_t x, int64_t y, int64_t limit) const
  {
    const auto found = pieces_in (static_cast<size_t> (x * across + y));
    if (terms_in (found) <= limit)
      return append (result, x * tile_side, y * tile_side, tile_side, found);
    std::vector<Piece> part;
    for (auto i = x * tile_side; i < (x + 1) * tile_side; i += small_side)
      for (auto j = y * tile_side; j < (y + 1) * tile_side; j += small_side) {
        part.clear ();
        for (const auto &piece : found) {
          const auto [path_x, path_y] = paths_of (steps[static_cast<size_t> (piece.ray)], gridding, piece.x, piece.y);
          const auto touch =
              path_y.within (j, small_side, path_x.within (i, small_side, {piece.first, piece.first + piece.count}));
          if (!touch.empty ())
            part.push_back (piece_of (static_cast<size_t> (piece.ray), touch, piece.x, piece.y));
        }
        append (result, i, j, small_side, part);
      }
  }

  static void append (Tiles &result, int64_t x, int64_t y, int64_t side, std::span<const Piece> some)
  {
    constexpr int64_t most = std::numeric_limits<int32_t>::max ();
    const auto first = std::ssize (result.pieces), n = terms_in (some);
    if (first + std::ssize (some) > most || n > most)
      fail (SINO_ERROR_MEMORY, "there are too many projections for one grid: give variant=native");
    int32_t number = 0;
    for (auto piece : some) {
      piece.begin = number;
      number += piece.count;
      result.pieces.push_back (piece);
    }
    result.tiles.push_back ({static_cast<int32_t> (x), static_cast<int32_t> (y), side == tile_side ? 4 : 2,
                             static_cast<int32_t> (n), static_cast<int32_t> (first),
                             static_cast<int32_t> (some.size ())});
  }
};

} // namespace

// The y axis of slices points down, so the sine is negative.
Step step_of (const Ray &ray, const Gridding &gridding)
{
  const auto fixed = [&] (double cells) { return static_cast<int64_t> (std::llrint (std::ldexp (cells, 40))); };
  return {fixed (gridding.scale () * ray.cos), fixed (-gridding.scale () * ray.sin)};
}

Tiles::Tiles (const Gridding &gridding, std::span<const Ray> rays, std::optional<int64_t> most)
{
  Builder (gridding, rays).build (*this, most);
}

} // namespace sino::fourier_reconstruct
