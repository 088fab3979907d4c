// SPDX-License-Identifier: LGPL-3.0-or-later
// Loop for a single slice: a vector holds pixels of a row. A cell needs at most 24 bins of a ray. They fit in two
// registers of 512 bits or three of 256 bits, where a permutation looks up the bins of all pixels of a vector. Narrower
// vectors gather from memory.
#if defined(SINO_BACK_PROJECT_SINGLE) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_BACK_PROJECT_SINGLE
#undef SINO_BACK_PROJECT_SINGLE
#else
#define SINO_BACK_PROJECT_SINGLE
#endif

#include "kernels/back-project/native/position-inl.hpp"

HWY_BEFORE_NAMESPACE ();
namespace sino::back_project::HWY_NAMESPACE {

// `middle_bin`: see middle_bin () in batch.hpp.
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

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2

// The bins of a window as a table, indexed by the lowest bits of an index.
struct Table {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr D d{};

#if HWY_TARGET == HWY_AVX2
  static constexpr int parts = 3;
  V part[parts];

  HWY_INLINE V operator[] (V index) const
  {
    const __m256i bits = _mm256_castps_si256 (index.raw);
    const auto of = [bits] (V v) HWY_ATTR { return _mm256_permutevar8x32_ps (v.raw, bits); };
    // Shifts the fourth and fifth bit of the index to the sign.
    const __m256 second = _mm256_castsi256_ps (_mm256_slli_epi32 (bits, 28));
    const __m256 third = _mm256_castsi256_ps (_mm256_slli_epi32 (bits, 27));
    return V{_mm256_blendv_ps (_mm256_blendv_ps (of (part[0]), of (part[1]), second), of (part[2]), third)};
  }
#else
  static constexpr int parts = 2;
  V part[parts];

  HWY_INLINE V operator[] (V index) const
  {
    return V{_mm512_permutex2var_ps (part[0].raw, _mm512_castps_si512 (index.raw), part[1].raw)};
  }
#endif
};

// Adds rays while the sums of a whole cell stay in registers, as far as there are enough.
template <bool Nearest> void add_window (const Batch &batch, float *sums, int stride)
{
  const Table::D d;
  constexpr int lanes = hn::MaxLanes (d), vectors = cell_size / lanes;
  const auto half = hn::Set (d, 0.5f);
  constexpr auto middle = static_cast<float> (middle_bin (1));
  Table::V sum[cell_size * vectors];
#pragma GCC unroll 32
  for (auto &s : sum)
    s = hn::Zero (d);
  for (int k = 0; k < batch.count; k++) {
    const auto *bins = reinterpret_cast<const float *> (batch.bins[k]);
    const auto weight = hn::Load (d, batch.weight[k]);
    Table value, change;
#pragma GCC unroll 4
    for (int i = 0; i < Table::parts; i++) {
      value.part[i] = hn::Mul (hn::LoadU (d, bins + i * lanes), weight);
      if constexpr (!Nearest) {
        change.part[i] = hn::MulSub (hn::LoadU (d, bins + i * lanes + 1), weight, value.part[i]);
        // The value in the middle between a bin and the next one, from which fractions count.
        value.part[i] = hn::MulAdd (change.part[i], half, value.part[i]);
      }
    }
#pragma GCC unroll 32
    for (int i = 0; i < cell_size * vectors; i++) {
      const auto columns = columns_from (d, static_cast<size_t> (i % vectors * lanes));
      const auto position = locate (d, batch, k, static_cast<float> (i / vectors) - cell_middle, columns, middle);
      sum[i] = hn::Add (sum[i], value[position.rounded]);
      if constexpr (!Nearest)
        sum[i] = hn::MulAdd (change[position.rounded], position.fraction, sum[i]);
    }
  }
#pragma GCC unroll 32
  for (int i = 0; i < cell_size * vectors; i++) {
    float *out = sums + static_cast<ptrdiff_t> (i / vectors) * stride + i % vectors * lanes;
    hn::StoreU (hn::Add (hn::LoadU (d, out), sum[i]), d, out);
  }
}

#endif

template <bool Nearest>
void add_single (const Batch &batch, float middle, const CellPart &part, float *sums, int stride)
{
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX2
  if (middle == static_cast<float> (middle_bin (1)))
    return add_window<Nearest> (batch, sums, stride);
#endif
  add_gathered<Nearest> (batch, middle, part, sums, stride);
}

} // namespace sino::back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
