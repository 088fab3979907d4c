// SPDX-License-Identifier: LGPL-3.0-or-later
// Stages across the stacks of a window.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/iterate/native/window.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/iterate/native/lines-inl.hpp"
#include "kernels/iterate/window.hpp"

#if (HWY_TARGET & SINO_SETS) && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE ();
namespace sino::iterate::HWY_NAMESPACE {

constexpr int together = 8; // pixels whose results stay in registers
constexpr int64_t most_slices = 64;

// Multiplies the slices of a pixel in all stacks by a matrix: `together` pixels from `first` on, floats of the row.
HWY_INLINE void multiply (const std::vector<float> &matrix, const Cosines &cosines, std::span<float *const> rows,
                          int64_t first)
{
  HWY_ALIGN float results[most_slices * together];
  for (int64_t to = 0; to < cosines.width; to += lanes) {
    Value sum[together];
    for (auto &value : sum)
      value = hn::Zero (Tag ());
    for (int64_t from = 0; from < cosines.slices; from++) {
      const auto factor = hn::LoadU (Tag (), matrix.data () + from * cosines.width + to);
      const float *slice = rows[static_cast<size_t> (from / lanes)] + first + from % lanes;
      for (int i = 0; i < together; i++)
        sum[i] = hn::MulAdd (factor, real (slice[i * lanes]), sum[i]);
    }
    for (int i = 0; i < together; i++)
      store (sum[i], results + to * together + i * lanes);
  }
  for (int64_t to = 0; to < cosines.width; to += lanes)
    for (int i = 0; i < together; i++)
      store (load (results + to * together + i * lanes), rows[static_cast<size_t> (to / lanes)] + first + i * lanes);
}

HWY_INLINE void multiply_row (const Plan &plan, const std::vector<float> &matrix, const Cosines &cosines,
                              std::span<const Memory> stacks, int64_t row)
{
  float *rows[most_slices / lanes];
  for (size_t i = 0; i < stacks.size (); i++)
    rows[i] = row_of (plan, stacks[i].q, row);
  for (int64_t first = 0; first < plan.n * lanes; first += together * lanes)
    multiply (matrix, cosines, {rows, stacks.size ()}, first);
}

void transform_along (const Plan &plan, const Cosines &cosines, std::span<const Memory> stacks, int64_t row)
{
  multiply_row (plan, cosines.forward, cosines, stacks, row);
}

void update_window (const Plan &plan, const Cosines &cosines, std::span<const Memory> stacks,
                    std::span<const TvSteps> steps, int64_t row)
{
  multiply_row (plan, cosines.back, cosines, stacks, row);
  for (size_t i = 0; i < stacks.size (); i++) {
    float *const q = row_of (plan, stacks[i].q, row);
    update_row (plan, stacks[i], steps[i], q, row);
    clear_outside (plan, q, inside (plan, row));
  }
}

} // namespace sino::iterate::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
