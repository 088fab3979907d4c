// SPDX-License-Identifier: LGPL-3.0-or-later
// Interpolates columns of voxels from the nodes of a lattice. Included once per target, inside its namespace's
// translation unit.
#if defined(SINO_CONE_LATTICE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_CONE_LATTICE_INL
#undef SINO_CONE_LATTICE_INL
#else
#define SINO_CONE_LATTICE_INL
#endif

#include "kernels/cone-back-project/native/lattice.hpp"
#include "kernels/cone-back-project/native/meeting-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_back_project::HWY_NAMESPACE {

using NodeTag = hn::CappedTag<float, part>;

// Converts a row of nodes to coefficients of the cubic spline through them, for the first `slices` of a slab.
HWY_INLINE void find_coefficients (float *row, int count, int slices)
{
  constexpr float pole = -0.26794919F; // sqrt (3) - 2
  const NodeTag d;
  const auto z = hn::Set (d, pole), six = hn::Set (d, 6);
  for (int i = 0; i < slices; i += static_cast<int> (hn::MaxLanes (d))) {
    auto *value = row + i;
    auto c = hn::Mul (hn::Load (d, value), hn::Set (d, 6 / (1 - pole)));
    hn::Store (c, d, value);
    for (int j = 1; j < count; j++) {
      value += slab_size;
      c = hn::MulAdd (z, c, hn::Mul (six, hn::Load (d, value)));
      hn::Store (c, d, value);
    }
    c = hn::Mul (c, hn::Set (d, -pole / (1 - pole)));
    hn::Store (c, d, value);
    for (int j = 1; j < count; j++) {
      value -= slab_size;
      c = hn::Mul (z, hn::Sub (c, hn::Load (d, value)));
      hn::Store (c, d, value);
    }
  }
}

// Nodes and weights from which adjacent columns of voxels are interpolated.
struct alignas (64) Taps {
  static constexpr int columns = 16;
  float across[4][columns], along[4][columns]; // weights
  int32_t node[columns], row[columns];         // index of the first of four
};

template <class D, class V> HWY_INLINE void find_spline (D d, V f, size_t i, Taps &taps)
{
  const auto g = hn::Sub (hn::Set (d, 1), f), ff = hn::Mul (f, f), gg = hn::Mul (g, g), sixth = hn::Set (d, 1.0F / 6),
             rest = hn::Set (d, 2.0F / 3), half = hn::Set (d, 0.5F), one = hn::Set (d, 1);
  hn::Store (hn::Mul (hn::Mul (gg, g), sixth), d, taps.across[0] + i);
  hn::Store (hn::MulAdd (ff, hn::Sub (hn::Mul (f, half), one), rest), d, taps.across[1] + i);
  hn::Store (hn::MulAdd (gg, hn::Sub (hn::Mul (g, half), one), rest), d, taps.across[2] + i);
  hn::Store (hn::Mul (hn::Mul (ff, f), sixth), d, taps.across[3] + i);
}

// R. Keys, Cubic convolution interpolation for digital image processing, 1981, with a = -1/2.
template <class D, class V> HWY_INLINE void find_cubic (D d, V f, size_t i, Taps &taps)
{
  const auto one = hn::Set (d, 1), g = hn::Sub (one, f), ff = hn::Mul (f, f), gg = hn::Mul (g, g),
             half = hn::Set (d, -0.5F), a = hn::Set (d, 1.5F), b = hn::Set (d, -2.5F);
  hn::Store (hn::Mul (hn::Mul (half, f), gg), d, taps.along[0] + i);
  hn::Store (hn::MulAdd (ff, hn::MulAdd (a, f, b), one), d, taps.along[1] + i);
  hn::Store (hn::MulAdd (gg, hn::MulAdd (a, g, b), one), d, taps.along[2] + i);
  hn::Store (hn::Mul (hn::Mul (half, g), ff), d, taps.along[3] + i);
}

HWY_INLINE void find_taps (const Lattice &lattice, int x, int y, Taps &taps)
{
  const hn::CappedTag<float, Taps::columns> d;
  const hn::RebindToSigned<decltype (d)> di;
  for (int i = 0; i < Taps::columns; i += static_cast<int> (hn::MaxLanes (d))) {
    const auto dx = hn::Iota (d, static_cast<float> (x + i)), dy = hn::Set (d, static_cast<float> (y));
    const auto at = [&] (const float (&plane)[3]) HWY_ATTR {
      return hn::MulAdd (dx, hn::Set (d, plane[1]), hn::MulAdd (dy, hn::Set (d, plane[2]), hn::Set (d, plane[0])));
    };
    const auto a = at (lattice.a), b = at (lattice.b);
    const auto node = hn::ConvertTo (di, a), row = hn::ConvertTo (di, b); // positive
    find_spline (d, hn::Sub (a, hn::ConvertTo (d, node)), static_cast<size_t> (i), taps);
    find_cubic (d, hn::Sub (b, hn::ConvertTo (d, row)), static_cast<size_t> (i), taps);
    hn::Store (hn::Sub (node, hn::Set (di, 1)), di, taps.node + i);
    hn::Store (hn::Sub (row, hn::Set (di, 1)), di, taps.row + i);
  }
}

// Adds the contributions of sixteen nodes to a column.
template <int Slices>
HWY_INLINE void take_from (const Lattice &lattice, const float *nodes, const Taps &taps, int i, float *column)
{
  const NodeTag d;
  constexpr int lanes = static_cast<int> (hn::MaxLanes (d)), at_once = Slices / lanes < 8 ? Slices / lanes : 8;
  for (int first = 0; first < Slices; first += at_once * lanes) {
    hn::Vec<NodeTag> sum[at_once];
#pragma GCC unroll 8
    for (int k = 0; k < at_once; k++)
      sum[k] = hn::Load (d, column + first + k * lanes);
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++) {
      const float *node = nodes + lattice.number (taps.node[i], taps.row[i] + r) * slab_size + first;
#pragma GCC unroll 4
      for (int j = 0; j < 4; j++) {
        const auto weight = hn::Set (d, taps.across[j][i] * taps.along[r][i]);
#pragma GCC unroll 8
        for (int k = 0; k < at_once; k++)
          sum[k] = hn::MulAdd (weight, hn::Load (d, node + j * slab_size + k * lanes), sum[k]);
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < at_once; k++)
      hn::Store (sum[k], d, column + first + k * lanes);
  }
}

// `nodes`: values on entry, which are replaced by coefficients.
template <int Slices> HWY_INLINE void spread_nodes (const Lattice &lattice, const Tile &tile, float *nodes, float *sums)
{
  for (int k = 0; k < lattice.rows; k++)
    if (const int count = lattice.end[k] - lattice.begin[k]; count > 0)
      find_coefficients (nodes + lattice.start[k] * slab_size, count, Slices);
  Taps taps;
  for (int x = 0; x < tile.columns; x += Taps::columns)
    for (int y = 0; y < tile.lines; y++) {
      find_taps (lattice, x, y, taps);
      for (int i = 0; i < std::min<int64_t> (Taps::columns, tile.columns - x); i++)
        take_from<Slices> (lattice, nodes, taps, i, sums + (y * tile.side + x + i) * slab_size);
    }
}

} // namespace sino::cone_back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
