// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices side by side: a bin is one or a few whole vectors, and a position and weight computed once serve all its
// lanes. For each row of the cell the positions and weights of all rays are computed first, a vector of pixels at once;
// then the sums of several pixels stay in registers over the whole batch.
#if defined(SINO_BACK_PROJECT_STACK) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_STACK
#undef SINO_BACK_PROJECT_STACK
#else
#define SINO_BACK_PROJECT_STACK
#endif

#include "back-project/position-inl.hpp"
#include <algorithm>
#include <bit>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One row of a cell.
struct Positions {
  HWY_ALIGN int32_t offset[batch_size][cell_size]; // of the left bin, in values
  HWY_ALIGN float weight[batch_size][cell_size];   // of the right bin
  // Of both bins together: a vector in memory, since of a scalar the compiler would compute the left bin's weight as a
  // scalar, too, and spend a shuffle on spreading it.
  HWY_ALIGN float whole[batch_size][cell_size];
};

template <int Lanes, bool Nearest>
HWY_INLINE void locate_row (const Window *windows, int count, int row, Positions &positions)
{
  const hn::CappedTag<float, cell_size> d;
  const hn::RebindToSigned<decltype (d)> di;
  for (int k = 0; k < count; k++)
    for (size_t x = 0; x < cell_size; x += hn::Lanes (d)) {
      const auto position = locate (d, windows[k], row, columns_from (d, x));
      constexpr int shift = std::countr_zero (static_cast<unsigned> (Lanes));
      hn::Store (hn::ShiftLeft<shift> (position.bin), di, positions.offset[k] + x);
      if constexpr (!Nearest)
        hn::Store (hn::Mul (hn::Set (d, windows[k].weight), position.fraction), d, positions.weight[k] + x);
    }
}

// Registers for sums: half of what the instruction set has.
constexpr int sums_in_registers = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_ARCH_ARM ? 16 : 8;

template <int Lanes, bool Nearest, int Pixels>
HWY_INLINE void add_pixels (const Window *windows, int count, const Positions &positions, int column, float *sums)
{
  const hn::CappedTag<float, Lanes> d;
  constexpr int step = hn::MaxLanes (d), parts = Lanes / step;
  hn::Vec<decltype (d)> sum[Pixels * parts];
#pragma GCC unroll 32
  for (int i = 0; i < Pixels * parts; i++)
    sum[i] = hn::Zero (d);
#pragma GCC unroll 1
  for (int k = 0; k < count; k++) {
    const auto whole = hn::LoadU (d, positions.whole[k]);
    const float *bins = windows[k].bins;
    const int32_t *offset = positions.offset[k] + column;
    const float *weight = positions.weight[k] + column;
#pragma GCC unroll 32
    for (int i = 0; i < Pixels; i++) {
      const float *bin = bins + offset[i];
      if constexpr (Nearest) {
#pragma GCC unroll 32
        for (int j = 0; j < parts; j++)
          sum[i * parts + j] = hn::MulAdd (hn::LoadU (d, bin + j * step), whole, sum[i * parts + j]);
      } else {
        const auto right = hn::Set (d, weight[i]);
        const auto left = hn::Sub (whole, right);
#pragma GCC unroll 32
        for (int j = 0; j < parts; j++) {
          auto &s = sum[i * parts + j];
          s = hn::MulAdd (hn::LoadU (d, bin + j * step), left, s);
          s = hn::MulAdd (hn::LoadU (d, bin + Lanes + j * step), right, s);
        }
      }
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < Pixels * parts; i++)
    hn::StoreU (hn::Add (hn::LoadU (d, sums + i * step), sum[i]), d, sums + i * step);
}

template <int Lanes, bool Nearest>
void add_stack (const Window *windows, int count, const CellPart &part, float *sums, int stride)
{
  constexpr int vectors = Lanes / hn::MaxLanes (hn::CappedTag<float, Lanes> ());
  constexpr int pixels = std::clamp (sums_in_registers / vectors, 1, 8);
  Positions positions;
  for (int k = 0; k < count; k++)
    std::fill_n (positions.whole[k], cell_size, windows[k].weight);
  for (int row = part.top; row < part.bottom; row++) {
    locate_row<Lanes, Nearest> (windows, count, row, positions);
    for (int column = part.left / pixels * pixels; column < part.right; column += pixels)
      add_pixels<Lanes, Nearest, pixels> (windows, count, positions, column, sums + (row * stride + column) * Lanes);
  }
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
