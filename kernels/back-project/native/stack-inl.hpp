// SPDX-License-Identifier: LGPL-3.0-or-later
// Loop for slices in lanes: a bin is one or a few whole vectors, and position and weight are computed once for all
// lanes. For each row of a cell, the positions and weights of all rays are computed first, for a vector of pixels at
// once; then the sums of several pixels stay in registers for the whole batch.
#if defined(SINO_BACK_PROJECT_STACK) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_STACK
#undef SINO_BACK_PROJECT_STACK
#else
#define SINO_BACK_PROJECT_STACK
#endif

#include "kernels/back-project/native/samples-inl.hpp"
#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

// Registers for sums: half of the registers of the instruction set.
constexpr int sums_in_registers = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_ARCH_ARM ? 16 : 8;

template <class Sample> HWY_INLINE void locate_row (const Batch &batch, int row, float middle_bin, Positions &positions)
{
  const hn::CappedTag<float, cell_size> d;
  const hn::RebindToUnsigned<decltype (d)> du;
  constexpr int shift = std::countr_zero (static_cast<unsigned> (Sample::bin_bytes));
  const auto from_middle = static_cast<float> (row) - cell_middle;
  for (int k = 0; k < batch.count; k++)
    for (size_t x = 0; x < cell_size; x += hn::Lanes (d)) {
      const auto position = locate (d, batch, k, from_middle, columns_from (d, x), middle_bin);
      hn::Store (hn::ShiftLeft<shift> (hn::BitCast (du, position.rounded)), du, positions.offset[k] + x);
      Sample::keep_weights (d, batch, k, x, position.fraction, positions);
    }
}

template <class Sample, int Pixels>
HWY_INLINE void add_pixels (const Batch &batch, const Positions &positions, int column, float *sums)
{
  constexpr int parts = Sample::parts;
  // The magic number's contribution to the offsets.
  constexpr uintptr_t surplus = static_cast<uint32_t> (magic_bits * Sample::bin_bytes);
  typename Sample::Sum sum[Pixels * parts];
#pragma GCC unroll 32
  for (int i = 0; i < Pixels * parts; i++)
    sum[i] = Sample::zero ();
#pragma GCC unroll 1
  for (int k = 0; k < batch.count; k++) {
    const auto all = Sample::of_ray (batch, k);
    const auto bins = reinterpret_cast<uintptr_t> (batch.bins[k]) - surplus;
    const uint32_t *offset = positions.offset[k] + column;
#pragma GCC unroll 32
    for (int i = 0; i < Pixels; i++) {
      const auto *bin = reinterpret_cast<const typename Sample::Value *> (bins + offset[i]);
      const auto weights = Sample::weights (all, positions, k, column + i);
#pragma GCC unroll 32
      for (int j = 0; j < parts; j++)
        Sample::add (bin, j, weights, sum[i * parts + j]);
    }
  }
  const hn::CappedTag<float, Sample::lanes> d;
#pragma GCC unroll 32
  for (int i = 0; i < Pixels * parts; i++) {
    float *out = sums + static_cast<size_t> (i) * hn::MaxLanes (d);
    hn::StoreU (hn::Add (hn::LoadU (d, out), Sample::to_float (sum[i])), d, out);
  }
}

template <class Sample>
void add_stack (const Batch &batch, float middle_bin, const CellPart &part, float *sums, int stride)
{
  constexpr int pixels = std::clamp (sums_in_registers / Sample::parts, 1, 8);
  Positions positions;
  for (int row = part.top; row < part.bottom; row++) {
    locate_row<Sample> (batch, row, middle_bin, positions);
    for (int column = part.left / pixels * pixels; column < part.right; column += pixels)
      add_pixels<Sample, pixels> (batch, positions, column, sums + (row * stride + column) * Sample::lanes);
  }
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
