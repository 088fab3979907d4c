// SPDX-License-Identifier: LGPL-3.0-or-later
// Integer arithmetic: blended lines in 16 bits, positions and weights in fixed point, sums of a batch in 32 bits.
// Included once per target, inside its namespace's translation unit.
#if defined(SINO_CONE_INT16_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SINO_CONE_INT16_INL
#undef SINO_CONE_INT16_INL
#else
#define SINO_CONE_INT16_INL
#endif

#include "kernels/cone-back-project/native/meeting-inl.hpp"
#include "kernels/pairs-inl.hpp"
#if HWY_TARGET <= HWY_AVX3
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE ();
namespace sino::cone_back_project::HWY_NAMESPACE {

struct Int16 {
  using Bin = int16_t;
  using Integers = hn::CappedTag<int32_t, part>;
  static constexpr int block = 32;
  static constexpr int room = line_room (steepest_of_windows, block), wide_room = line_room (most_steepest, block);

  // Weights are converted to fractions of the heaviest one, in 15 bits.
  static constexpr float all_weight = 32767;
  static float sharpness (const Sight &sight) { return sight.heaviest > 0 ? all_weight / sight.heaviest : 0; }

  template <int Parts, int Align>
  static HWY_INLINE void add (const int16_t *views, size_t view, int count, const Sight &sight,
                              const Meeting<Parts> &meeting, int16_t *lines, float *sums)
  {
    alignas (64) int32_t left[batch_size], right[batch_size];
    const Integers di;
    const hn::RebindToFloat<Integers> d;
    for (size_t i = 0; i < batch_size; i += hn::MaxLanes (di)) {
      // Limited, because the heaviest weight was computed at the corners of the tile and interpolated planes are
      // rounded.
      const auto integers = [&] (const float *weights) HWY_ATTR {
        return hn::NearestInt (hn::Min (hn::Load (d, weights + i), hn::Set (d, all_weight)));
      };
      hn::Store (integers (meeting.left), di, left + i);
      hn::Store (integers (meeting.right), di, right + i);
    }
    const int apart = meeting.steepest <= steepest_of_windows ? room : wide_room;
    // Blends all lines first: a window spans two stores, which must have reached the cache before.
    with_blocks<1, short_line> (meeting.first_block, meeting.blocks, [&] (auto blocks) HWY_ATTR {
      for (int i = 0; i < count; i++)
        blend<blocks> (views + static_cast<size_t> (i) * view + meeting.line[i], sight.stride, left[i], right[i],
                       meeting.first_block, meeting.blocks, lines + i * apart);
    });
    const float unit = sight.heaviest / all_weight * 32768;
#if HWY_TARGET <= HWY_AVX3
    // A register holds 32 bins: enough for 16 voxels with steps of up to two rows. Two registers suffice for steps up
    // to four.
    if (Align == 1 && meeting.steepest > steepest_of_windows)
      gather (count, meeting, unit, apart, lines, sums);
    else if (Align == 1 && meeting.steepest * (part - 1) + Align >= 31)
      add_windows<Parts, 10> (count, meeting, unit, lines, sums);
    else
      add_windows<Parts, 11> (count, meeting, unit, lines, sums);
#elif HWY_TARGET == HWY_AVX2
    if (meeting.steepest < steepest_of_tables)
      look_up (count, meeting, unit, apart, lines, sums);
    else
      gather (count, meeting, unit, apart, lines, sums);
#else
    gather (count, meeting, unit, apart, lines, sums);
#endif
  }

private:
  // `Blocks`: number of blocks, or 0 if unknown at compile time.
  template <int Blocks>
  static HWY_INLINE void blend (const int16_t *column, int64_t stride, int32_t left, int32_t right, int first, int end,
                                int16_t *line)
  {
    const hn::CappedTag<int16_t, block> d;
    const auto a = hn::Set (d, static_cast<int16_t> (left)), b = hn::Set (d, static_cast<int16_t> (right));
#pragma GCC unroll 16
    for (int i = Blocks ? 0 : first * block; i < (Blocks ? Blocks : end) * block;
         i += static_cast<int> (hn::MaxLanes (d)))
      hn::Store (hn::Add (hn::MulFixedPoint15 (a, hn::Load (d, column + i)),
                          hn::MulFixedPoint15 (b, hn::Load (d, column + stride + i))),
                 d, line + i);
  }

#if HWY_TARGET <= HWY_AVX3
  // Positions have `Bits` fractional bits. A permutation selects the pairs (bin, next bin) of 16 voxels.
  template <int Parts, int Bits>
  static HWY_INLINE void add_windows (int count, const Meeting<Parts> &meeting, float unit, const int16_t *lines,
                                      float *sums)
  {
    constexpr int whole = 1 << Bits;
    const __m512i next = _mm512_set1_epi32 (whole << 16), mask = _mm512_set1_epi16 (whole - 1),
                  flip = _mm512_set1_epi32 (whole - 1);
    const __m512 voxels = _mm512_setr_ps (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const Integers di;
    hn::Vec<Integers> sum[Parts];
#pragma GCC unroll 8
    for (int k = 0; k < Parts; k++)
      sum[k] = hn::Zero (di);
    alignas (64) int32_t starts[Parts][batch_size];
    // The weights of a pair add up to one step less than 1; positions are half a step less, which compensates in the
    // mean.
    const __m512 fine = _mm512_set1_ps (whole), half = _mm512_set1_ps (0.5F);
    const auto twice = [] (__m512i v) HWY_ATTR { return _mm512_or_si512 (v, _mm512_slli_epi32 (v, 16)); };
#pragma GCC unroll 8
    for (int k = 0; k < Parts; k++) {
      const __m512 start = _mm512_fmsub_ps (_mm512_load_ps (meeting.fraction[k]), fine, half);
      _mm512_store_si512 (starts[k], twice (_mm512_cvtps_epi32 (start)));
    }
    for (int i = 0; i < count; i++) {
      const __m512 steps = _mm512_mul_ps (voxels, _mm512_set1_ps (meeting.step[i] * whole));
      const __m512i step = _mm512_add_epi16 (twice (_mm512_cvtps_epi32 (steps)), next);
      const auto *line = lines + i * room;
#pragma GCC unroll 8
      for (int k = 0; k < Parts; k++) {
        const __m512i place = _mm512_add_epi16 (step, _mm512_set1_epi32 (starts[k][i]));
        const __m512i bin = _mm512_srli_epi16 (place, Bits);
        const __m512i weight = _mm512_ternarylogic_epi32 (place, mask, flip, 0x6a); // (place & mask) ^ flip
        const auto *window = line + meeting.window[k][i];
        const __m512i low = _mm512_loadu_si512 (window);
        __m512i pairs;
        if constexpr (Bits == 11)
          pairs = _mm512_permutexvar_epi16 (bin, low);
        else
          pairs = _mm512_permutex2var_epi16 (low, bin, _mm512_loadu_si512 (window + 32));
        sum[k] = kernels::HWY_NAMESPACE::add_pairs (di, hn::Vec<Integers>{pairs}, hn::Vec<Integers>{weight}, sum[k]);
      }
    }
    const __m512 scale = _mm512_set1_ps (unit / (whole - 1));
#pragma GCC unroll 8
    for (int k = 0; k < Parts; k++)
      _mm512_store_ps (sums + k * part,
                       _mm512_fmadd_ps (_mm512_cvtepi32_ps (sum[k].raw), scale, _mm512_load_ps (sums + k * part)));
  }
#endif

#if HWY_TARGET == HWY_AVX2
  // Like add_windows(), for eight voxels at once; pairs are looked up in the bytes of sixteen bins.
  template <int Parts>
  static HWY_INLINE void look_up (int count, const Meeting<Parts> &meeting, float unit, int apart, const int16_t *lines,
                                  float *sums)
  {
    constexpr int bits = 11, whole = 1 << bits, lanes = 8, vectors = Parts * part / lanes;
    constexpr int at_once = vectors < 4 ? vectors : 4; // limited by registers
    const Integers di;
    const hn::RebindToFloat<Integers> d;
    const hn::Repartition<int16_t, Integers> d16;
    const hn::Repartition<uint16_t, Integers> du16;
    const hn::Repartition<uint8_t, Integers> d8;
    const auto twice = [] (auto v) HWY_ATTR { return hn::Or (v, hn::ShiftLeft<16> (v)); };
    const auto next = hn::Set (di, whole << 16);
    const auto mask = hn::Set (d16, whole - 1), flip = hn::BitCast (d16, hn::Set (di, whole - 1));
    const auto voxels = hn::Iota (d, 0);
    alignas (64) int32_t begin[at_once][batch_size], start[at_once][batch_size];
    for (int first = 0; first < vectors; first += at_once) {
      for (int n = 0; n < at_once; n++) {
        const int k = (first + n) * lanes / part, voxel = (first + n) * lanes % part;
        for (int i = 0; i < batch_size; i += lanes) {
          const auto place = hn::MulAdd (hn::Set (d, static_cast<float> (voxel)), hn::Load (d, meeting.step + i),
                                         hn::Load (d, meeting.fraction[k] + i));
          const auto bin = hn::ConvertTo (di, place);
          // The weights of a pair add up to one step less than 1; positions are half a step less, which compensates in
          // the mean.
          const auto fine = hn::MulSub (hn::Sub (place, hn::ConvertTo (d, bin)), hn::Set (d, whole), hn::Set (d, 0.5F));
          hn::Store (twice (hn::Max (hn::NearestInt (fine), hn::Zero (di))), di, start[n] + i);
          hn::Store (hn::Add (bin, hn::Load (di, meeting.window[k] + i)), di, begin[n] + i);
        }
      }
      hn::Vec<Integers> sum[at_once];
#pragma GCC unroll 4
      for (int n = 0; n < at_once; n++)
        sum[n] = hn::Zero (di);
      for (int i = 0; i < count; i++) {
        const auto *line = lines + i * apart;
        const auto steps = hn::NearestInt (hn::Mul (voxels, hn::Set (d, meeting.step[i] * whole)));
        const auto step = hn::BitCast (d16, hn::Add (twice (steps), next));
#pragma GCC unroll 4
        for (int n = 0; n < at_once; n++) {
          const auto place = hn::Add (step, hn::BitCast (d16, hn::Set (di, start[n][i])));
          const auto weight = hn::Xor (hn::And (place, mask), flip);
          const auto bin = hn::ShiftRight<bits> (hn::BitCast (du16, place));
          const auto at = hn::BitCast (d8, hn::Add (hn::Mul (bin, hn::Set (du16, 0x0202)), hn::Set (du16, 0x0100)));
          const auto *window = reinterpret_cast<const uint8_t *> (line + begin[n][i]);
          // Indices beyond the bytes of a table give 0.
          const auto low = hn::TableLookupBytesOr0 (hn::LoadDup128 (d8, window),
                                                    hn::SaturatedAdd (at, hn::Set (d8, 0x70))),
                     high = hn::TableLookupBytesOr0 (hn::LoadDup128 (d8, window + 16), hn::Sub (at, hn::Set (d8, 16)));
          sum[n] = kernels::HWY_NAMESPACE::add_pairs (di, hn::BitCast (di, hn::Or (low, high)),
                                                      hn::BitCast (di, weight), sum[n]);
        }
      }
#pragma GCC unroll 4
      for (int n = 0; n < at_once; n++) {
        auto *out = sums + (first + n) * lanes;
        hn::Store (hn::MulAdd (hn::ConvertTo (d, sum[n]), hn::Set (d, unit / (whole - 1)), hn::Load (d, out)), d, out);
      }
    }
  }
#endif

  // A gather of 32 bits loads a bin and the next one. Positions are rounded down; the weights of a pair add up to one
  // step less than 1.
  template <int Parts>
  static HWY_INLINE void gather (int count, const Meeting<Parts> &meeting, float unit, int apart, const int16_t *lines,
                                 float *sums)
  {
    constexpr int bits = 11, whole = 1 << bits;
    const Integers di;
    const hn::RebindToFloat<Integers> d;
    constexpr int lanes = static_cast<int> (hn::MaxLanes (di));
    for (int k = 0; k < Parts; k++)
      for (int j = 0; j < part; j += lanes) {
        const auto voxels = hn::Iota (d, static_cast<float> (j));
        auto sum = hn::Zero (di);
        for (int i = 0; i < count; i++) {
          const auto place = hn::ConvertTo (di, hn::MulAdd (voxels, hn::Set (d, meeting.step[i] * whole),
                                                            hn::Set (d, meeting.fraction[k][i] * whole)));
          const auto right = hn::And (place, hn::Set (di, whole - 1));
          const auto weight = hn::Or (hn::ShiftLeft<16> (right), hn::Sub (hn::Set (di, whole - 1), right));
          const auto *window = lines + i * apart + meeting.window[k][i];
          const auto offset = hn::ShiftLeft<1> (hn::ShiftRight<bits> (place));
          const auto pairs = hn::GatherOffset (di, reinterpret_cast<const int32_t *> (window), offset);
          sum = kernels::HWY_NAMESPACE::add_pairs (di, pairs, weight, sum);
        }
        auto *out = sums + k * part + j;
        hn::Store (hn::MulAdd (hn::ConvertTo (d, sum), hn::Set (d, unit / (whole - 1)), hn::Load (d, out)), d, out);
      }
  }
};

} // namespace sino::cone_back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
