// SPDX-License-Identifier: LGPL-3.0-or-later
// A single slice: the vector runs over the pixels of a row and gathers its bins from the copied window.
#if defined(SINO_BACK_PROJECT_SINGLE) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_SINGLE
#undef SINO_BACK_PROJECT_SINGLE
#else
#define SINO_BACK_PROJECT_SINGLE
#endif

#include "back-project/position-inl.hpp"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool Nearest>
void add_single (const Window *windows, int count, const CellPart &part, float *sums, int stride)
{
  const hn::CappedTag<float, cell_size> d;
  for (int row = part.top; row < part.bottom; row++)
    for (size_t x = 0; x < cell_size; x += hn::Lanes (d)) {
      const auto columns = columns_from (d, x);
      auto sum = hn::Zero (d);
      for (int k = 0; k < count; k++) {
        const Window &w = windows[k];
        const auto [bin, fraction] = locate (d, w, row, columns);
        const auto whole = hn::Set (d, w.weight);
        if constexpr (Nearest) {
          sum = hn::MulAdd (hn::GatherIndex (d, w.bins, bin), whole, sum);
        } else {
          const auto right = hn::Mul (whole, fraction);
          sum = hn::MulAdd (hn::GatherIndex (d, w.bins, bin), hn::Sub (whole, right), sum);
          sum = hn::MulAdd (hn::GatherIndex (d, w.bins + 1, bin), right, sum);
        }
      }
      float *out = sums + static_cast<size_t> (row * stride) + x;
      hn::StoreU (hn::Add (hn::LoadU (d, out), sum), d, out);
    }
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
