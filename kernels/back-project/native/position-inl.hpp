// SPDX-License-Identifier: LGPL-3.0-or-later
// Positions of a cell's pixels in the window of a ray.
#if defined(SINO_BACK_PROJECT_POSITION) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_POSITION
#undef SINO_BACK_PROJECT_POSITION
#else
#define SINO_BACK_PROJECT_POSITION
#endif

#include "kernels/back-project/native/batch.hpp"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adding this to a small float rounds it to an integer, which is then in the lowest bits.
constexpr float magic = 0x1.8p23f;
constexpr uint32_t magic_bits = 0x4B400000;

template <class D> struct Position {
  hn::Vec<D> rounded;  // magic + index of the bin in the window
  hn::Vec<D> fraction; // distance from the middle between the bin and its right neighbour, -1/2 to 1/2
};

// Positions of a row of pixels; `columns` from the cell's middle. For linear interpolation Batch::middle is half a bin
// less, so that the nearest bin is the left neighbour.
template <class D>
HWY_INLINE Position<D> locate (D d, const Batch &batch, int k, float row, hn::Vec<D> columns, float middle_bin)
{
  const auto u = hn::MulAdd (columns, hn::Set (d, batch.dx[k]),
                             hn::MulAdd (hn::Set (d, row), hn::Set (d, batch.dy[k]), hn::Set (d, batch.middle[k])));
  const auto in_window = hn::Max (u, hn::Set (d, -middle_bin - 0.5f)); // it is inside except for rounding errors
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

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
