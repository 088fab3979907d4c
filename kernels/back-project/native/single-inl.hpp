// SPDX-License-Identifier: LGPL-3.0-or-later
// A single slice: the vector runs over the pixels of a row. A cell sees at most 24 bins of a ray, which fit in two
// registers of 512 bits, where a permutation looks bins up for 16 pixels at once; narrower vectors gather from memory.
#if defined(SINO_BACK_PROJECT_SINGLE) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_SINGLE
#undef SINO_BACK_PROJECT_SINGLE
#else
#define SINO_BACK_PROJECT_SINGLE
#endif

#include "back-project/native/position-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

// `middle_bin`: of the windows.
template <bool Nearest>
void add_gathered (const Batch &batch, float middle_bin, const CellPart &part, float *sums, int stride)
{
  const hn::CappedTag<float, cell_size> d;
  const hn::RebindToSigned<decltype (d)> di;
  const auto half = hn::Set (d, 0.5f);
  const auto surplus = hn::Set (di, static_cast<int32_t> (magic_bits));
  for (int row = part.top; row < part.bottom; row++)
    for (size_t x = 0; x < cell_size; x += hn::Lanes (d)) {
      const auto columns = columns_from (d, x);
      auto sum = hn::Zero (d);
      for (int k = 0; k < batch.count; k++) {
        const auto *bins = reinterpret_cast<const float *> (batch.bins[k]);
        const auto [rounded, fraction] =
            locate (d, batch, k, static_cast<float> (row) - cell_middle, columns, middle_bin);
        const auto bin = hn::Sub (hn::BitCast (di, rounded), surplus);
        const auto whole = hn::Load (d, batch.weight[k]);
        if constexpr (Nearest) {
          sum = hn::MulAdd (hn::GatherIndex (d, bins, bin), whole, sum);
        } else {
          const auto right = hn::Mul (whole, hn::Add (fraction, half));
          sum = hn::MulAdd (hn::GatherIndex (d, bins, bin), hn::Sub (whole, right), sum);
          sum = hn::MulAdd (hn::GatherIndex (d, bins + 1, bin), right, sum);
        }
      }
      float *out = sums + static_cast<ptrdiff_t> (row) * stride + x;
      hn::StoreU (hn::Add (hn::LoadU (d, out), sum), d, out);
    }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

// 32 values by the lowest five bits of an index.
struct Table {
  hn::Vec<hn::ScalableTag<float>> low, high;

  HWY_INLINE auto operator[] (hn::Vec<hn::ScalableTag<float>> index) const
  {
    return decltype (low){_mm512_permutex2var_ps (low.raw, _mm512_castps_si512 (index.raw), high.raw)};
  }
};

// The sums of a whole cell stay in registers.
template <bool Nearest> void add_window (const Batch &batch, float *sums, int stride)
{
  const hn::ScalableTag<float> d;
  const auto columns = columns_from (d, 0), half = hn::Set (d, 0.5f);
  constexpr auto middle = static_cast<float> (middle_bin (1));
  hn::Vec<decltype (d)> sum[cell_size];
#pragma GCC unroll 16
  for (auto &s : sum)
    s = hn::Zero (d);
  for (int k = 0; k < batch.count; k++) {
    const auto *bins = reinterpret_cast<const float *> (batch.bins[k]);
    const auto weight = hn::Load (d, batch.weight[k]);
    Table value{hn::Mul (hn::LoadU (d, bins), weight), hn::Mul (hn::LoadU (d, bins + 16), weight)};
    Table change{};
    if constexpr (!Nearest) {
      change = {hn::MulSub (hn::LoadU (d, bins + 1), weight, value.low),
                hn::MulSub (hn::LoadU (d, bins + 17), weight, value.high)};
      // In the middle between a bin and the next one, from where fractions count.
      value = {hn::MulAdd (change.low, half, value.low), hn::MulAdd (change.high, half, value.high)};
    }
#pragma GCC unroll 16
    for (int row = 0; row < cell_size; row++) {
      const auto position = locate (d, batch, k, static_cast<float> (row) - cell_middle, columns, middle);
      sum[row] = hn::Add (sum[row], value[position.rounded]);
      if constexpr (!Nearest)
        sum[row] = hn::MulAdd (change[position.rounded], position.fraction, sum[row]);
    }
  }
#pragma GCC unroll 16
  for (int row = 0; row < cell_size; row++) {
    float *out = sums + static_cast<ptrdiff_t> (row) * stride;
    hn::StoreU (hn::Add (hn::LoadU (d, out), sum[row]), d, out);
  }
}

#endif

template <bool Nearest>
void add_single (const Batch &batch, float middle, const CellPart &part, float *sums, int stride)
{
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if (middle == static_cast<float> (middle_bin (1)))
    return add_window<Nearest> (batch, sums, stride);
#endif
  add_gathered<Nearest> (batch, middle, part, sums, stride);
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
