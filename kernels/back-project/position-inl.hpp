// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the pixels of a cell's row are seen.
#if defined(SINO_BACK_PROJECT_POSITION) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_POSITION
#undef SINO_BACK_PROJECT_POSITION
#else
#define SINO_BACK_PROJECT_POSITION
#endif

#include "back-project/cell.hpp"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Left bin, counted from Window::bins, and distance from it; of nearest interpolation the bin is the one that is hit.
template <class D> struct Position {
  hn::Vec<hn::RebindToSigned<D>> bin;
  hn::Vec<D> fraction;
};

template <class D> HWY_INLINE Position<D> locate (D d, const Window &window, int row, hn::Vec<D> columns)
{
  const hn::RebindToSigned<D> di;
  const auto from_middle = hn::Set (d, static_cast<float> (row) - cell_middle);
  const auto u = hn::MulAdd (columns, hn::Set (d, window.dx),
                             hn::MulAdd (from_middle, hn::Set (d, window.dy), hn::Set (d, window.middle)));
  const auto shift = hn::Set (d, static_cast<float> (middle_bin));
  const auto bin = hn::ConvertTo (di, hn::Max (hn::Add (u, shift), hn::Zero (d)));
  return {bin, hn::Sub (u, hn::Sub (hn::ConvertTo (d, bin), shift))};
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

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
