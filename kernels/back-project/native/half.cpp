// SPDX-License-Identifier: LGPL-3.0-or-later
// Highway 1.0 has no half arithmetic. Only this file is compiled for CPUs that have it, so it must not use inline
// functions that other files use: the linker could use this file's copy for all of them.
#include "kernels/back-project/native/half.hpp"

#if SINO_AVX512_FP16
#include <cpuid.h>
#include <immintrin.h>

namespace sino::back_project {

namespace {

constexpr int rays = 8; // rays per batch: 24 bins of 128 bytes each fit the L1 cache
constexpr int pixels = 8;
constexpr int bin_shift = 7;
constexpr float middle_of_window = 11;
static_assert (window_bins (1) == 24 && middle_bin (1) == 11 && batch_size (half_lanes, 1) == rays);

struct alignas (64) Positions {
  unsigned offset[rays][cell_size]; // offset of the bin to add, in bytes
  unsigned weight[rays][cell_size]; // weight of the right neighbour: the same half twice
};

// Computes positions in the same way as position-inl.hpp.
inline __attribute__ ((always_inline)) void locate_row (const Batch &batch, int row, Positions &positions)
{
  const __m512 columns = _mm512_setr_ps (-7.5f, -6.5f, -5.5f, -4.5f, -3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f,
                                         4.5f, 5.5f, 6.5f, 7.5f);
  const __m512 y = _mm512_set1_ps (static_cast<float> (row) - cell_middle);
  const __m512 shift = _mm512_set1_ps (0x1.8p23f + middle_of_window), half = _mm512_set1_ps (0.5f);
  const __m512i surplus = _mm512_set1_epi32 (0x4B400000);
  for (int k = 0; k < batch.count; k++) {
    __m512 u = _mm512_fmadd_ps (y, _mm512_set1_ps (batch.dy[k]), _mm512_set1_ps (batch.middle[k]));
    u = _mm512_fmadd_ps (columns, _mm512_set1_ps (batch.dx[k]), u);
    u = _mm512_max_ps (u, _mm512_set1_ps (-middle_of_window - 0.5f));
    const __m512 rounded = _mm512_add_ps (u, shift);
    const __m512i bin = _mm512_sub_epi32 (_mm512_castps_si512 (rounded), surplus);
    _mm512_store_si512 (positions.offset[k], _mm512_slli_epi32 (bin, bin_shift));
    const __m512 fraction = _mm512_sub_ps (u, _mm512_sub_ps (rounded, shift));
    const __m512i weight = _mm512_cvtepu16_epi32 (_mm512_cvtps_ph (_mm512_add_ps (fraction, half), 0));
    _mm512_store_si512 (positions.weight[k], _mm512_or_si512 (weight, _mm512_slli_epi32 (weight, 16)));
  }
}

inline __attribute__ ((always_inline)) void flush (__m512h sum, float *out)
{
  const __m512i bits = _mm512_castph_si512 (sum);
  const __m512 low = _mm512_cvtph_ps (_mm512_castsi512_si256 (bits));
  const __m512 high = _mm512_cvtph_ps (_mm512_extracti64x4_epi64 (bits, 1));
  _mm512_storeu_ps (out, _mm512_add_ps (_mm512_loadu_ps (out), low));
  _mm512_storeu_ps (out + 16, _mm512_add_ps (_mm512_loadu_ps (out + 16), high));
}

} // namespace

bool has_half_arithmetic ()
{
  // Clang 16 has no name for this feature. "avx512f" also checks that the system saves the registers.
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count (7, 0, &a, &b, &c, &d) != 0 && (d & bit_AVX512FP16) != 0 &&
         __builtin_cpu_supports ("avx512f") != 0;
}

void add_cell_in_half (const Batch &batch, const CellPart &part, float *sums, int stride)
{
  Positions positions;
  for (int row = part.top; row < part.bottom; row++) {
    locate_row (batch, row, positions);
    for (int column = part.left / pixels * pixels; column < part.right; column += pixels) {
      __m512h sum[pixels];
#pragma GCC unroll 8
      for (int i = 0; i < pixels; i++)
        sum[i] = _mm512_setzero_ph ();
#pragma GCC unroll 1
      for (int k = 0; k < batch.count; k++) {
        const unsigned *offset = positions.offset[k] + column, *weight = positions.weight[k] + column;
#pragma GCC unroll 8
        for (int i = 0; i < pixels; i++) {
          const auto *bin = batch.bins[k] + offset[i];
          const __m512h w = _mm512_castsi512_ph (_mm512_set1_epi32 (static_cast<int> (weight[i])));
          sum[i] = _mm512_add_ph (_mm512_loadu_ph (bin), sum[i]);
          sum[i] = _mm512_fmadd_ph (_mm512_loadu_ph (bin + 2 * half_lanes), w, sum[i]);
        }
      }
#pragma GCC unroll 8
      for (int i = 0; i < pixels; i++)
        flush (sum[i], sums + static_cast<long> (row * stride + column + i) * half_lanes);
    }
  }
}

} // namespace sino::back_project

#else

namespace sino::back_project {

bool has_half_arithmetic ()
{
  return false;
}

void add_cell_in_half (const Batch &, const CellPart &, float *, int) {}

} // namespace sino::back_project
#endif
