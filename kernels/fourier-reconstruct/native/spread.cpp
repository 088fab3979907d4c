// SPDX-License-Identifier: LGPL-3.0-or-later
// Adds each term of a ray to W x W cells: W^2 multiply-adds on whole vectors, each with a load and a store, which take
// most of the time. Positions and weights are computed once for all lanes, for many terms at once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fourier-reconstruct/native/spread.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/terms-inl.hpp"
#include <cmath>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: stack_lanes () is 0
void spread_rays (const StackPlan &, const Memory &, int, std::span<const size_t>, float *) {}
#else

constexpr int chunk = 64; // number of terms: data that the rays of a batch use in turn stays in the nearest caches

// Weights of the W cells in one direction, and the index of the first cell.
template <int W> struct Taps {
  alignas (64) float weight[W][chunk];
  alignas (64) int32_t cell[chunk];
};

// Computes weights for terms at start + i step cells, i = 0 .. count - 1, accurate to 2^-22 of a cell. Positions are
// sums of two parts: the coarse part is exact in single precision, and its whole cells are subtracted before the fine
// part is added. If a term is exactly on a cell, there are cells at half of phi's width on both sides, and the term
// gets only one of them. Term -k (`negative`) must get the mirrored cell of term k; otherwise the two slices of a
// complex value would mix. Therefore integer positions must be recognised, even for multiples of cos (60 degrees).
template <int W>
HWY_INLINE void find_taps (const float *coefficients, double start, double step, int count, bool negative,
                           Taps<W> &taps)
{
  constexpr int degree = W + 3;
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  const auto coarse = [] (double x) { return std::nearbyint (x * 0x1p17) * 0x1p-17; };
  const double edge = start - 0.5 * W, whole = std::floor (edge), within = coarse (edge - whole), by = coarse (step);
  const auto coarse_base = real (static_cast<float> (within)), coarse_step = real (static_cast<float> (by));
  const auto fine_base = real (static_cast<float> (edge - whole - within)),
             fine_step = real (static_cast<float> (step - by));
  const auto first = hn::Set (di, static_cast<int32_t> (whole));
  const auto rounds = real (2.5F); // in [2.5, 4) single precision has a resolution of 2^-22
  for (int i = 0; i < count; i += lanes) {
    const auto number = hn::Iota (d, static_cast<float> (i));
    const auto along = hn::MulAdd (number, coarse_step, coarse_base), cell = hn::Floor (along);
    const auto rest = hn::Add (hn::Sub (along, cell), hn::MulAdd (number, fine_step, fine_base));
    const auto position = hn::Sub (hn::Add (rest, rounds), rounds);
    const auto up = negative ? hn::Add (hn::Floor (position), real (1)) : hn::Ceil (position);
    hn::Store (hn::Add (first, hn::ConvertTo (di, hn::Add (cell, up))), di, taps.cell + i);
    const auto z = hn::MulSub (hn::Sub (up, position), real (2), real (1));
#pragma GCC unroll 8
    for (int t = 0; t < W; t++) {
      auto value = real (coefficients[t]);
#pragma GCC unroll 16
      for (int p = 1; p <= degree; p++)
        value = hn::MulAdd (value, z, real (coefficients[p * W + t]));
      hn::Store (value, d, taps.weight[t] + i);
    }
  }
}

// Cells that terms are added to: [line][stride] vectors; frequency 0 is at cell `middle` in both directions.
struct Target {
  float *cells;
  int64_t stride, middle;
};

// Spreads terms k of a ray, first <= k < first + count. `next`: offset to the terms that are spread next. `inverse`:
// factor for terms stored as half.
template <int W, class Number>
HWY_INLINE void spread_terms (const Gridding &g, const Ray &ray, const Number *terms, const float *inverse,
                              int64_t first, int count, bool negative, const Target &target, int64_t next)
{
  Taps<W> x, y;
  const double scale = g.scale (), k = static_cast<double> (first), middle = static_cast<double> (target.middle);
  const float *coefficients = g.phi.coefficients ().data ();
  find_taps<W> (coefficients, middle + k * scale * ray.cos, scale * ray.cos, count, negative, x);
  find_taps<W> (coefficients, middle - k * scale * ray.sin, -scale * ray.sin, count, negative, y);
  const auto stride = target.stride * lanes;
  // Offset from a cell to the cell that the ray reaches a chunk later: it is prefetched while other rays of the batch
  // are processed.
  const auto ahead =
      (std::lrint (chunk * scale * ray.cos) * target.stride - std::lrint (chunk * scale * ray.sin)) * lanes;
  terms += first * lanes;
  for (int i = 0; i < count; i++) {
    const Number *term = terms + static_cast<int64_t> (i) * lanes;
    const auto value = Terms<Number>::halves ? hn::Mul (term_at (term), load (inverse)) : term_at (term);
    hwy::Prefetch (term + next);
    float *line = target.cells + (x.cell[i] * target.stride + y.cell[i]) * lanes;
    if (i % 4 == 0) // terms are less than a cell apart
      for (int s = 0; s < W; s++)
        for (int t = 0; t < W; t++)
          hwy::Prefetch (line + ahead + s * stride + t * lanes);
    Value weights[W];
#pragma GCC unroll 8
    for (int t = 0; t < W; t++)
      weights[t] = real (y.weight[t][i]);
#pragma GCC unroll 8
    for (int s = 0; s < W; s++) {
      const auto part = hn::Mul (value, real (x.weight[s][i]));
#pragma GCC unroll 8
      for (int t = 0; t < W; t++)
        hn::Store (hn::MulAdd (part, weights[t], load (line + t * lanes)), Tag (), line + t * lanes);
      line += stride;
    }
  }
}

template <int W, class Number>
HWY_NOINLINE void spread_batch (const StackPlan &stack, std::span<const size_t> rays, const Terms<Number> &terms,
                                int64_t first, int64_t end, bool negative, const Target &target)
{
  const auto &g = stack.gridding;
  for (auto k = first; k < end; k += chunk) {
    const auto count = static_cast<int> (end - k < chunk ? end - k : chunk);
    for (int64_t i = 0; i < std::ssize (rays); i++) {
      const auto next = i + 1 < std::ssize (rays) ? stack.term_stride : chunk - i * stack.term_stride;
      spread_terms<W> (g, stack.job.rays[rays[static_cast<size_t> (i)]], terms.of (i) + g.padded / 2 * lanes,
                       terms.inverse (i), k, count, negative, target, next * lanes);
    }
  }
}

template <int W, class Number>
void spread_all (const StackPlan &stack, const Memory &memory, int sector, std::span<const size_t> rays,
                 const Terms<Number> &terms)
{
  const auto &g = stack.gridding;
  const auto last = g.padded / 2, centre = stack.centre_terms;
  const Target grid{memory.grid, stack.line_stride, g.grid / 2 + margin};
  const Target own{memory.centres + sector * stack.centre_size * stack.centre_size * lanes, stack.centre_size,
                   stack.centre_size / 2};
  spread_batch<W> (stack, rays, terms, -last, -centre, true, grid);
  spread_batch<W> (stack, rays, terms, -centre, 0, true, own);
  spread_batch<W> (stack, rays, terms, 0, 1, true, own); // term 0 is halved, and spread twice
  spread_batch<W> (stack, rays, terms, 0, centre + 1, false, own);
  spread_batch<W> (stack, rays, terms, centre + 1, last + 1, false, grid);
}

void spread_rays (const StackPlan &stack, const Memory &memory, int sector, std::span<const size_t> rays, float *terms)
{
  with_terms (stack, terms, [&] (const auto &of_batch) {
    if (stack.job.width == 4)
      spread_all<4> (stack, memory, sector, rays, of_batch);
    else if (stack.job.width == 5)
      spread_all<5> (stack, memory, sector, rays, of_batch);
    else
      spread_all<6> (stack, memory, sector, rays, of_batch);
  });
}

#endif

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
