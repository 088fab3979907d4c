// SPDX-License-Identifier: LGPL-3.0-or-later
// The shadows of a tile's lines of voxels in one view.
#if defined(SINO_FOOTPRINT_SHADOW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_FOOTPRINT_SHADOW_INL
#undef SINO_FOOTPRINT_SHADOW_INL
#else
#define SINO_FOOTPRINT_SHADOW_INL
#endif

#include <hwy/highway.h>

#include "kernels/footprint/footprint.hpp"
#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE ();
namespace sino::footprint::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t lines_of_tile = side * side;

// Lines of voxels are numbered along x, then y. The shadow of voxel z of line i has its middle at row `start[i] + z
// step[i]`, counted so that bin v spans [v - 1/2, v + 1/2]. Column first[i] + k has the share shares[k][i] of it.
struct alignas (64) Shadows {
  double start[lines_of_tile], step[lines_of_tile], height[lines_of_tile];
  double first[lines_of_tile]; // whole numbers
  float shares[most_columns][lines_of_tile];
  int count; // columns of the widest shadow
};

using Doubles = hn::CappedTag<double, side>;
using Double = hn::Vec<Doubles>;

// Integral up to x of a ramp that rises from 0 at a to 1 at b, and stays there.
HWY_INLINE Double ramp (Double x, Double a, Double b)
{
  const Doubles d;
  const auto wide = hn::Max (hn::Sub (b, a), hn::Set (d, 1e-9));
  const auto in = hn::Min (hn::Max (hn::Sub (x, a), hn::Zero (d)), wide);
  return hn::MulAdd (hn::Mul (in, in), hn::Div (hn::Set (d, 0.5), wide),
                     hn::Max (hn::Sub (x, hn::Max (b, hn::Add (a, wide))), hn::Zero (d)));
}

// Detector coordinates of points in one line along x.
struct Places {
  Double across, depth;

  HWY_INLINE Double column () const { return hn::Div (across, depth); }
};

HWY_INLINE Places places (const Matrix &m, Double x, double y)
{
  const Doubles d;
  return {hn::MulAdd (x, hn::Set (d, m[0][0]), hn::Set (d, m[0][1] * y + m[0][3])),
          hn::MulAdd (x, hn::Set (d, m[2][0]), hn::Set (d, m[2][1] * y + m[2][3]))};
}

// Length of the way of a ray through a pixel, seen from above, where it crosses opposite edges.
HWY_INLINE Double length_in_pixel (const View &view, double size, Double x, double y)
{
  const Doubles d;
  const auto dx = view.parallel ? hn::Set (d, view.source.x) : hn::Sub (x, hn::Set (d, view.source.x));
  const auto dy = hn::Set (d, view.parallel ? view.source.y : y - view.source.y);
  const auto far = hn::Sqrt (hn::MulAdd (dx, dx, hn::Mul (dy, dy)));
  return hn::Div (hn::Mul (hn::Set (d, size), far), hn::Max (hn::Abs (dx), hn::Abs (dy)));
}

// `x`, `y`: the first voxel of the tile.
HWY_INLINE void find_shadows (const Scene &scene, const Sight &sight, int64_t x, int64_t y, Shadows &shadows)
{
  const Doubles d;
  const auto n = static_cast<int64_t> (hn::Lanes (d));
  const auto &volume = scene.volume;
  const double half = 0.5 * volume.size;
  const auto last = hn::Set (d, static_cast<double> (scene.columns - 1));
  shadows.count = 0;
  for (int64_t i = 0; i < lines_of_tile; i += n) {
    const double at_y = volume.first.y + volume.size * static_cast<double> (y + i / side);
    const auto at_x = hn::MulAdd (hn::Add (hn::Iota (d, 0), hn::Set (d, static_cast<double> (x + i % side))),
                                  hn::Set (d, volume.size), hn::Set (d, volume.first.x));
    const auto left = hn::Sub (at_x, hn::Set (d, half)), right = hn::Add (at_x, hn::Set (d, half));
    const auto &m = sight.matrix;
    const auto a = places (m, left, at_y - half).column (), b = places (m, right, at_y - half).column (),
               e = places (m, left, at_y + half).column (), f = places (m, right, at_y + half).column ();
    // the four corners of the pixel, in the order of their columns
    const auto low = hn::Min (a, b), high = hn::Max (a, b), low2 = hn::Min (e, f), high2 = hn::Max (e, f);
    const auto one = hn::Min (low, low2), four = hn::Max (high, high2);
    const auto p = hn::Max (low, low2), q = hn::Min (high, high2);
    const auto two = hn::Min (p, q), three = hn::Max (p, q);
    const auto first = hn::Floor (one);
    hn::Store (first, d, shadows.first + i);
    // lines beyond the volume may have any width
    const auto wide = hn::Min (hn::Sub (four, first), hn::Set (d, most_columns));
    const auto count = static_cast<int> (std::ceil (hn::GetLane (hn::MaxOfLanes (d, hn::Max (wide, hn::Set (d, 1))))));
    shadows.count = std::max (shadows.count, count);

    const auto depth = places (m, at_x, at_y).depth;
    const auto row =
        hn::MulAdd (at_x, hn::Set (d, m[1][0]), hn::Set (d, m[1][1] * at_y + m[1][2] * volume.first.z + m[1][3]));
    const auto step = hn::Div (hn::Set (d, sight.step), depth);
    hn::Store (hn::Sub (hn::Div (row, depth), hn::Set (d, 0.5)), d, shadows.start + i);
    hn::Store (step, d, shadows.step + i);
    hn::Store (hn::Mul (hn::Abs (step), hn::Set (d, sight.widened)), d, shadows.height + i);

    if (scene.is_fan ())
      for (auto j = i; j < i + n; j++) {
        shadows.start[j] = 0;
        shadows.step[j] = shadows.height[j] = 1;
      }
    const auto length = length_in_pixel (sight.view, volume.size, at_x, at_y);
    const auto up_to = [&] (Double column)
                           HWY_ATTR { return hn::Sub (ramp (column, one, two), ramp (column, three, four)); };
    const hn::Rebind<float, Doubles> floats;
    auto before = hn::Zero (d), column = first;
    for (int k = 0; k < most_columns; k++) {
      if (k >= count) {
        hn::Store (hn::Zero (floats), floats, shadows.shares[k] + i);
        continue;
      }
      const auto outside = hn::Or (hn::Lt (column, hn::Zero (d)), hn::Gt (column, last));
      column = hn::Add (column, hn::Set (d, 1));
      const auto now = up_to (column);
      hn::Store (hn::DemoteTo (floats, hn::IfThenZeroElse (outside, hn::Mul (length, hn::Sub (now, before)))), floats,
                 shadows.shares[k] + i);
      before = now;
    }
  }
}

} // namespace sino::footprint::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
