// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the pixels of a cell are seen.
#if defined(SINO_BACK_PROJECT_POSITION) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_POSITION
#undef SINO_BACK_PROJECT_POSITION
#else
#define SINO_BACK_PROJECT_POSITION
#endif

#include "back-project/native/cell.hpp"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Added to a small float this leaves the float rounded to an integer, which stands in the lowest bits.
constexpr float magic = 0x1.8p23f;
constexpr uint32_t magic_bits = 0x4B400000;

template <class D> struct Position {
  hn::Vec<D> rounded;  // magic + the bin, counted from the window's first
  hn::Vec<D> fraction; // from the middle between the bin and its right neighbour, -1/2 to 1/2
};

// Of a row of pixels; `columns` from the cell's middle. For linear interpolation Batch::middle lacks half a bin: what
// is nearest then is the left neighbour.
template <class D>
HWY_INLINE Position<D> locate (D d, const Batch &batch, int k, float row, hn::Vec<D> columns, float middle_bin)
{
  const auto u = hn::MulAdd (columns, hn::Set (d, batch.dx[k]),
                             hn::MulAdd (hn::Set (d, row), hn::Set (d, batch.dy[k]), hn::Set (d, batch.middle[k])));
  const auto in_window = hn::Max (u, hn::Set (d, -middle_bin - 0.5f)); // rounding errors aside it is anyway
  const auto shift = hn::Set (d, magic + middle_bin);
  const auto rounded = hn::Add (in_window, shift);
  return {rounded, hn::Sub (in_window, hn::Sub (rounded, shift))};
}

// The columns of a cell, counted from its middle. (hn::Iota stores them one by one and loads them at once, which
// stalls.)
template <class D> HWY_INLINE hn::Vec<D> columns_from (D d, size_t first)
{
  HWY_ALIGN static constexpr float columns[cell_size] = {-7.5f, -6.5f, -5.5f, -4.5f, -3.5f, -2.5f, -1.5f, -0.5f,
                                                         0.5f,  1.5f,  2.5f,  3.5f,  4.5f,  5.5f,  6.5f,  7.5f};
  static_assert (columns[0] == -cell_middle && columns[cell_size - 1] == cell_middle);
  return hn::Load (d, columns + first);
}

// In double: in float, counted from the detector's first bin, positions would err by 1e-5.
HWY_INLINE void see (const RayTable &rays, size_t begin, int count, bool nearest, double x, double y, int32_t *first,
                     float *middle)
{
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<int32_t, decltype (d)> di;
  const hn::Rebind<float, decltype (d)> df;
  const auto far = hn::Set (d, 1e9), half = hn::Set (d, 0.5);
  const auto to_middle = hn::Set (d, middle_bin (rays.fine) + (nearest ? 0 : 0.5));
  for (size_t k = 0; k < static_cast<size_t> (count); k += hn::Lanes (d)) {
    const auto at = begin + k;
    const auto along =
        hn::MulAdd (hn::Set (d, x), hn::LoadU (d, rays.cos.data () + at), hn::LoadU (d, rays.origin.data () + at));
    const auto u = hn::NegMulAdd (hn::Set (d, y), hn::LoadU (d, rays.sin.data () + at), along);
    auto least = hn::Sub (u, hn::LoadU (d, rays.reach.data () + at));
    if (nearest)
      least = hn::Add (least, half);
    const auto left = hn::Floor (hn::Max (hn::Neg (far), hn::Min (least, far)));
    hn::StoreU (hn::DemoteTo (di, left), di, first + k);
    hn::StoreU (hn::DemoteTo (df, hn::Sub (hn::Sub (u, left), to_middle)), df, middle + k);
  }
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
