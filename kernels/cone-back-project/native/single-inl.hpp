// SPDX-License-Identifier: LGPL-3.0-or-later
// Single-precision arithmetic. Included once per target, inside its namespace's translation unit.
#if defined(SINO_CONE_SINGLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_CONE_SINGLE_INL
#undef SINO_CONE_SINGLE_INL
#else
#define SINO_CONE_SINGLE_INL
#endif

#include "kernels/cone-back-project/native/meeting-inl.hpp"
#if HWY_TARGET <= HWY_AVX3
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_back_project::HWY_NAMESPACE {

struct Single {
  using Bin = float;
  using Floats = hn::CappedTag<float, part>;
  static constexpr int block = 16;
  static constexpr int room = line_room (steepest_of_windows, block), wide_room = line_room (most_steepest, block);
  static constexpr int vectors = part / static_cast<int> (hn::MaxLanes (Floats ()));

  static float sharpness (const Sight &) { return 1; }

  // Adds views to the sums of a column. `lines`: memory for blended lines.
  template <int Parts, int Align>
  static HWY_INLINE void add (const float *views, size_t view, int count, const Sight &sight,
                              const Meeting<Parts> &meeting, float *lines, float *sums)
  {
    const int apart = meeting.steepest <= steepest_of_windows ? room : wide_room;
    // Blends all lines first: a window spans two stores, which must have reached the cache before.
    with_blocks<1, short_line> (meeting.first_block, meeting.blocks, [&] (auto blocks) HWY_ATTR {
      for (int i = 0; i < count; i++)
        blend<blocks> (views + static_cast<size_t> (i) * view + meeting.line[i], sight.stride, meeting.left[i],
                       meeting.right[i], meeting.first_block, meeting.blocks, lines + i * apart);
    });
#if HWY_TARGET <= HWY_AVX3
    // A window of two or three vectors suffices for 16 voxels, except for steps of more than three rows.
    if (Align == 1 && meeting.steepest * (part - 1) + Align >= 47)
      gather (count, meeting, apart, lines, sums);
    else if (Align == 1 && meeting.steepest * (part - 1) + Align >= 31)
      add_windows<Parts, true> (count, meeting, lines, sums);
    else
      add_windows<Parts, false> (count, meeting, lines, sums);
#elif HWY_TARGET == HWY_AVX2
    if (meeting.steepest < steepest_of_tables)
      look_up (count, meeting, apart, lines, sums);
    else
      gather (count, meeting, apart, lines, sums);
#else
    gather (count, meeting, apart, lines, sums);
#endif
  }

private:
  // `Blocks`: number of blocks, or 0 if unknown at compile time.
  template <int Blocks>
  static HWY_INLINE void blend (const float *column, int64_t stride, float left, float right, int first, int end,
                                float *line)
  {
    const Floats d;
    const auto a = hn::Set (d, left), b = hn::Set (d, right);
#pragma GCC unroll 16
    for (int i = Blocks ? 0 : first * block; i < (Blocks ? Blocks : end) * block;
         i += static_cast<int> (hn::MaxLanes (d)))
      hn::Store (hn::MulAdd (a, hn::Load (d, column + i), hn::Mul (b, hn::Load (d, column + stride + i))), d, line + i);
  }

#if HWY_TARGET <= HWY_AVX3
  template <int Parts, bool Steep>
  static HWY_INLINE void add_windows (int count, const Meeting<Parts> &meeting, const float *lines, float *sums)
  {
    // Adding this constant rounds to an integer, which is then in the lowest bits.
    const __m512 magic = _mm512_set1_ps (12582912.0F), one = _mm512_set1_ps (1);
    const __m512 voxels = _mm512_setr_ps (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512 sum[Parts];
#pragma GCC unroll 8
    for (int k = 0; k < Parts; k++)
      sum[k] = _mm512_setzero_ps ();
    for (int i = 0; i < count; i++) {
      const __m512 step = _mm512_mul_ps (voxels, _mm512_set1_ps (meeting.step[i]));
      const float *line = lines + i * room;
#pragma GCC unroll 8
      for (int k = 0; k < Parts; k++) {
        const __m512 place = _mm512_add_ps (step, _mm512_set1_ps (meeting.fraction[k][i]));
        const __m512 rounded = _mm512_add_round_ps (place, magic, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
        const __m512 down = _mm512_sub_ps (place, _mm512_sub_ps (rounded, magic)), up = _mm512_sub_ps (one, down);
        const __m512i bin = _mm512_castps_si512 (rounded), next = _mm512_add_epi32 (bin, _mm512_set1_epi32 (1));
        const float *window = line + meeting.window[k][i];
        const __m512 low = _mm512_loadu_ps (window), high = _mm512_loadu_ps (window + 16);
        __m512 v0 = _mm512_permutex2var_ps (low, bin, high), v1 = _mm512_permutex2var_ps (low, next, high);
        if constexpr (Steep) {
          const __m512 last = _mm512_loadu_ps (window + 32);
          const __m512i beyond = _mm512_set1_epi32 (32);
          v0 = _mm512_mask_permutexvar_ps (v0, _mm512_test_epi32_mask (bin, beyond), bin, last);
          v1 = _mm512_mask_permutexvar_ps (v1, _mm512_test_epi32_mask (next, beyond), next, last);
        }
        sum[k] = _mm512_fmadd_ps (v1, down, _mm512_fmadd_ps (v0, up, sum[k]));
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < Parts; k++)
      _mm512_store_ps (sums + k * part, _mm512_add_ps (_mm512_load_ps (sums + k * part), sum[k]));
  }
#endif

#if HWY_TARGET == HWY_AVX2
  // Two vectors of bins suffice for a vector of voxels.
  template <int Parts>
  static HWY_INLINE void look_up (int count, const Meeting<Parts> &meeting, int apart, const float *lines, float *sums)
  {
    constexpr int lanes = static_cast<int> (hn::MaxLanes (Floats ()));
    constexpr int all = Parts * vectors, at_once = all < 4 ? all : 4; // limited by registers
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const auto voxels = hn::Iota (d, 0), one = hn::Set (d, 1);
    const auto last = hn::Set (di, lanes - 1);
    alignas (64) float fraction[at_once][batch_size];
    alignas (64) int32_t begin[at_once][batch_size];
    for (int first = 0; first < all; first += at_once) {
      for (int n = 0; n < at_once; n++) {
        const int k = (first + n) / vectors, voxel = (first + n) % vectors * lanes;
        for (int i = 0; i < batch_size; i += lanes) {
          const auto place = hn::MulAdd (hn::Set (d, static_cast<float> (voxel)), hn::Load (d, meeting.step + i),
                                         hn::Load (d, meeting.fraction[k] + i));
          const auto bin = hn::ConvertTo (di, place);
          hn::Store (hn::Sub (place, hn::ConvertTo (d, bin)), d, fraction[n] + i);
          hn::Store (hn::Add (hn::Load (di, meeting.window[k] + i), bin), di, begin[n] + i);
        }
      }
      hn::Vec<Floats> sum[at_once];
#pragma GCC unroll 4
      for (int n = 0; n < at_once; n++)
        sum[n] = hn::Zero (d);
      for (int i = 0; i < count; i++) {
        const auto step = hn::Mul (voxels, hn::Set (d, meeting.step[i]));
#pragma GCC unroll 4
        for (int n = 0; n < at_once; n++) {
          const auto place = hn::Add (step, hn::Set (d, fraction[n][i]));
          const auto bin = hn::ConvertTo (di, place);
          const auto down = hn::Sub (place, hn::ConvertTo (d, bin));
          const auto at = hn::IndicesFromVec (d, hn::And (bin, last));
          const auto beyond = hn::RebindMask (d, hn::Gt (bin, last));
          const auto values = [&] (const float *from) HWY_ATTR {
            return hn::IfThenElse (beyond, hn::TableLookupLanes (hn::LoadU (d, from + lanes), at),
                                   hn::TableLookupLanes (hn::LoadU (d, from), at));
          };
          const float *window = lines + i * apart + begin[n][i];
          sum[n] = hn::MulAdd (values (window + 1), down, hn::MulAdd (values (window), hn::Sub (one, down), sum[n]));
        }
      }
#pragma GCC unroll 4
      for (int n = 0; n < at_once; n++) {
        auto *out = sums + (first + n) * lanes;
        hn::Store (hn::Add (hn::Load (d, out), sum[n]), d, out);
      }
    }
  }
#endif

  template <int Parts>
  static HWY_INLINE void gather (int count, const Meeting<Parts> &meeting, int apart, const float *lines, float *sums)
  {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    for (int k = 0; k < Parts; k++)
      for (int j = 0; j < vectors; j++) {
        const auto voxels = hn::Iota (d, static_cast<float> (j * static_cast<int> (hn::MaxLanes (d))));
        auto *out = sums + k * part + j * static_cast<int> (hn::MaxLanes (d));
        auto sum = hn::Zero (d);
        for (int i = 0; i < count; i++) {
          const auto place = hn::MulAdd (voxels, hn::Set (d, meeting.step[i]), hn::Set (d, meeting.fraction[k][i]));
          const auto bin = hn::ConvertTo (di, place);
          const auto down = hn::Sub (place, hn::ConvertTo (d, bin));
          const float *window = lines + i * apart + meeting.window[k][i];
          const auto v0 = hn::GatherIndex (d, window, bin), v1 = hn::GatherIndex (d, window + 1, bin);
          sum = hn::Add (sum, hn::MulAdd (down, hn::Sub (v1, v0), v0));
        }
        hn::Store (hn::Add (hn::Load (d, out), sum), d, out);
      }
  }
};

} // namespace sino::cone_back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
