// SPDX-License-Identifier: LGPL-3.0-or-later
// Projects one column of voxels into a batch of views. Included once per target, inside its namespace's translation
// unit.
#if defined(SINO_MEETING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_MEETING_INL
#undef SINO_MEETING_INL
#else
#define SINO_MEETING_INL
#endif

#include "kernels/cone-back-project/native/sight.hpp"
#include <hwy/highway.h>
#include <type_traits>

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int part = 16; // voxels along z that share a window

// A column of voxels in each view. The line of a view is a blend of two detector columns, and begins with bin `line`.
// Voxel 16 k + i of the column is at position fraction[k] + i step, in bins from window[k] of the line.
template <int Parts> struct alignas (64) Meeting {
  float left[batch_size], right[batch_size]; // weights of the two columns, with the weights of the view multiplied in
  float step[batch_size];
  float fraction[Parts][batch_size];
  int32_t window[Parts][batch_size]; // index of the window, a multiple of the alignment
  int32_t line[batch_size];          // index in the view, a multiple of the block
  int first_block, blocks;           // range of blocks that any of the lines needs
  float steepest;
};

// `first`: first part. `sharpness`: factor for weights. The result of a part does not depend on other parts.
template <int Parts, int Block, int Align>
HWY_INLINE void meet (const Sight &sight, float dx, float dy, int first, float sharpness, Meeting<Parts> &meeting)
{
  const hn::CappedTag<float, batch_size> d;
  const hn::RebindToSigned<decltype (d)> di;
  auto steepest = hn::Zero (d);
  auto front = hn::Set (di, 1 << 20), back = hn::Zero (di);
  for (size_t i = 0; i < batch_size; i += hn::Lanes (d)) {
    const auto at = [&] (const float (&plane)[3][batch_size]) {
      return hn::MulAdd (hn::Set (d, dx), hn::Load (d, plane[1] + i),
                         hn::MulAdd (hn::Set (d, dy), hn::Load (d, plane[2] + i), hn::Load (d, plane[0] + i)));
    };
    const auto near = hn::Div (hn::Set (d, 1), at (sight.w));
    const auto weight =
        hn::Mul (hn::Mul (near, near), hn::Mul (hn::Load (d, sight.weight + i), hn::Set (d, sharpness)));
    const auto u = hn::Max (hn::Zero (d), hn::Min (hn::Mul (at (sight.u), near), hn::Load (d, sight.last_column + i)));
    const auto column = hn::ConvertTo (di, u);
    const auto right = hn::Mul (weight, hn::Sub (u, hn::ConvertTo (d, column)));
    hn::Store (right, d, meeting.right + i);
    hn::Store (hn::Sub (weight, right), d, meeting.left + i);
    const auto step = hn::Mul (hn::Load (d, sight.rise + i), near);
    hn::Store (step, d, meeting.step + i);
    steepest = hn::Max (steepest, step);

    // Beyond the rows there are enough zeros for a window. Farther positions may use any of them.
    const auto v = hn::Mul (at (sight.v), near), last = hn::Load (d, sight.last_row + i);
    const auto row = hn::And (hn::ConvertTo (di, hn::Max (hn::Zero (d), hn::Min (v, last))), hn::Set (di, -Block));
    hn::Store (hn::Add (hn::Load (di, sight.place + i),
                        hn::Add (row, hn::Mul (column, hn::Set (di, static_cast<int32_t> (sight.stride))))),
               di, meeting.line + i);
    const auto from = hn::Sub (v, hn::ConvertTo (d, row)), end = hn::Sub (last, hn::ConvertTo (d, row));
    auto place = hn::Zero (d);
    for (int k = 0; k < Parts; k++) {
      const auto rise = hn::Set (d, static_cast<float> (part * (first + k)));
      place = hn::Max (hn::Zero (d), hn::Min (hn::MulAdd (step, rise, from), end));
      const auto window = hn::And (hn::ConvertTo (di, place), hn::Set (di, -Align));
      hn::Store (window, di, meeting.window[k] + i);
      hn::Store (hn::Sub (place, hn::ConvertTo (d, window)), d, meeting.fraction[k] + i);
      if (k == 0)
        front = hn::Min (front, window);
    }
    const auto bins = hn::ConvertTo (di, hn::MulAdd (step, hn::Set (d, part - 1), place));
    back = hn::Max (back, hn::Add (bins, hn::Set (di, 2)));
  }
  meeting.steepest = hn::GetLane (hn::MaxOfLanes (d, steepest));
  meeting.first_block = Parts * part == slab_size ? 0 : hn::GetLane (hn::MinOfLanes (di, front)) / Block;
  meeting.blocks = hn::GetLane (hn::MaxOfLanes (di, back)) / Block + 1;
}

// Rows per voxel up to which two vectors of bins suffice for a vector of voxels.
constexpr float steepest_of_tables = 1.99F;

// Calls f with the number of blocks of whole lines as a constant, for short loops; 0: too many, or not whole lines.
template <int Least, int Most, class F> HWY_INLINE void with_blocks (int first, int end, F f)
{
  if constexpr (Least == Most) {
    f (std::integral_constant<int, Least> ());
  } else {
    constexpr int middle = Least + (Most - Least) / 2;
    if (first > 0 || end > Most)
      f (std::integral_constant<int, 0> ());
    else if (end <= middle)
      with_blocks<Least, middle> (first, end, f);
    else
      with_blocks<middle + 1, Most> (first, end, f);
  }
}
constexpr int short_line = 16;

// Bins of a line, including those that windows read beyond its end.
constexpr int line_room (double steepest, int block)
{
  return slab_size * static_cast<int> (steepest) + 2 * block + 64;
}

} // namespace sino::cone_back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
