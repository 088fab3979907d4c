// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes the terms of rays from rows of sinograms: pads, transforms, filters, and moves them to the rotation axis.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fourier-reconstruct/native/rays.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/fourier-reconstruct/native/terms-inl.hpp"
#include <cmath>
#include <numbers>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: stack_lanes () is 0
void transform_rays (const StackPlan &, const Memory &, const Bins &, std::span<const size_t>, float *, float *) {}
#else

// factors[k] = R_k weight e^(2 pi i k c / P), k = 0 .. P/2. About 8 operations each: negligible beside those of the
// lanes.
void factors_of (const StackPlan &stack, size_t number, float *factors)
{
  const auto &ray = stack.job.rays[number];
  constexpr int block = 64;
  const auto &g = stack.gridding;
  const auto count = g.padded / 2 + 1;
  const double angle = 2 * std::numbers::pi * std::remainder (g.origin_of (ray) / static_cast<double> (g.padded), 1.0);
  double step[2] = {std::cos (angle), std::sin (angle)}, turn[2] = {1, 0};
  const auto advance = [] (double (&of)[2], const double (&by)[2]) {
    const double re = of[0] * by[0] - of[1] * by[1];
    of[1] = of[0] * by[1] + of[1] * by[0];
    of[0] = re;
  };
  float re[block], im[block]; // powers of `step` within a block
  for (int i = 0; i < block; i++) {
    re[i] = static_cast<float> (turn[0]);
    im[i] = static_cast<float> (turn[1]);
    advance (turn, step);
  }
  const double leap[2] = {turn[0], turn[1]};
  double start[2] = {static_cast<double> (ray.weight), 0};
  for (int64_t first = 0; first < count; first += block) {
    const auto a = static_cast<float> (start[0]), b = static_cast<float> (start[1]);
    const float *response = g.response_of (number) + first;
    float *to = factors + 2 * first;
    const auto n = static_cast<int> (count - first < block ? count - first : block);
    for (int i = 0; i < n; i++) {
      to[2 * i] = response[i] * (a * re[i] - b * im[i]);
      to[2 * i + 1] = response[i] * (a * im[i] + b * re[i]);
    }
    advance (start, leap);
  }
  factors[0] /= 2; // term 0 is spread twice
  factors[1] /= 2;
}

// A row of bins, extended to the padded length P = 2 n.
struct Row {
  const float *bins;
  int64_t stride;
  int used;            // number of lanes with sinograms
  int size, n, middle; // the padding is `right` up to the column `middle`, then `left`
  Value left, right;
  Value wanted; // mask: all bits set in lanes with only finite values

  HWY_INLINE Value raw (int j) const
  {
    const float *from = bins + j * stride;
    if (used == lanes)
      return hn::LoadU (Tag (), from);
    HWY_ALIGN float some[lanes] = {};
    for (int i = 0; i < used; i++)
      some[i] = from[i];
    return load (some);
  }
  HWY_INLINE Value bin (int j) const { return hn::And (raw (j), wanted); }
  HWY_INLINE Value at (int j) const { return j < size ? bin (j) : padding (j); }
  HWY_INLINE Value padding (int j) const { return j < middle ? right : left; }
};

// Masks the lanes of a row with a NaN or infinite value, and notes them in `broken`: times 0, such values are NaN.
// Returns each lane's largest absolute value; the compiler leaves this out if it is not used.
HWY_INLINE Value leave_out_broken (Row &row, std::atomic<uint32_t> &broken)
{
  auto sum = hn::Zero (Tag ()), largest = hn::Zero (Tag ());
  for (int j = 0; j < row.size; j++) {
    const auto value = row.raw (j);
    sum = hn::MulAdd (value, hn::Zero (Tag ()), sum);
    largest = hn::Max (largest, hn::Abs (value));
  }
  const auto finite = hn::Eq (sum, sum);
  row.wanted = hn::VecFromMask (Tag (), finite);
  if (hn::AllTrue (Tag (), finite))
    return largest;
  HWY_ALIGN float sums[lanes];
  hn::Store (sum, Tag (), sums);
  for (int lane = 0; lane < lanes; lane++)
    if (std::isnan (sums[lane]))
      broken |= 1u << lane;
  return hn::And (largest, row.wanted);
}

// Returns, for each pair of lanes, a power of two that scales terms to the range of halves. `inverse` gets its inverse.
HWY_INLINE Value scale_of (const StackPlan &stack, const Ray &ray, Value largest, float *inverse)
{
  HWY_ALIGN float values[lanes], scales[lanes];
  hn::Store (hn::Max (largest, hn::Shuffle2301 (largest)), Tag (), values);
  const int of_terms = stack.gridding.exponent_of (ray.weight);
  for (int lane = 0; lane < lanes; lane++) {
    const int scale = values[lane] > 0 ? half_scale (of_terms, std::ilogb (values[lane]) + 1) : 0;
    scales[lane] = std::ldexp (1.0F, scale);
    inverse[lane] = std::ldexp (1.0F, -scale);
  }
  return load (scales);
}

// Two transforms of length n = P/2 give the even and the odd frequencies of length P: 2 x 5 n log2 n operations. The
// transform has the sign +, so its frequency q is term -q.
template <class Number>
HWY_INLINE void transform_ray (const StackPlan &stack, const Memory &memory, const Bins &bins, size_t ray, size_t next,
                               Number *terms, float *inverse, float *scratch, float *factors)
{
  constexpr bool halves = Terms<Number>::halves;
  factors_of (stack, ray, factors);
  const auto &fft = stack.row_fft;
  const int n = fft.n, size = static_cast<int> (stack.job.size);
  const auto zero = hn::Zero (Tag ());
  Row row{.bins = bins.values + static_cast<int64_t> (ray) * size * bins.stride,
          .stride = bins.stride,
          .used = bins.lanes,
          .size = size,
          .n = n,
          .middle = size + (2 * n - size) / 2,
          .left = zero,
          .right = zero,
          .wanted = zero};
  const auto largest = leave_out_broken (row, *memory.broken);
  if (stack.job.edge) {
    row.left = row.bin (0);
    row.right = row.bin (size - 1);
  }
  Number *const middle = terms + static_cast<int64_t> (n) * lanes; // term 0
  const auto scale = halves ? scale_of (stack, stack.job.rays[ray], largest, inverse) : zero;
  const auto scaled = [&] (Value v) { return halves ? hn::Mul (v, scale) : v; };
  const auto keep = [&] (int q, Value v) {
    if (q <= n)
      keep_term (scaled (turned_back (v, factors + 2 * q)), middle - static_cast<int64_t> (q) * lanes);
    if (q >= n)
      keep_term (scaled (turned (v, factors + 2 * (2 * n - q))), middle + static_cast<int64_t> (2 * n - q) * lanes);
  };
  // Terms are stored far apart, and the second cache has evicted their memory for other rays of the batch. With many
  // threads, waiting for the third cache would take as long as all other work. So memory is prefetched in order: for
  // even frequencies during the first transform, for odd ones during the second.
  const Number *even = terms, *odd = terms + lanes;
  transform (
      fft, scratch,
      [&] (int j) {
        fetch_later (even);
        even += 2 * lanes;
        return hn::Add (row.at (j), row.padding (j + n));
      },
      [&] (int k, Value v) { keep (2 * k, v); });
  const float *turns = stack.half_turns.data ();
  // Prefetches the row of the next ray.
  const float *ahead = bins.values + static_cast<int64_t> (next) * size * bins.stride;
  transform (
      fft, scratch,
      [&] (int j) {
        fetch_later (odd);
        odd += 2 * lanes;
        if (j < size)
          hwy::Prefetch (ahead + j * bins.stride);
        return turned (hn::Sub (row.at (j), row.padding (j + n)), turns + 2 * j);
      },
      [&] (int k, Value v) { keep (2 * k + 1, v); });
}

void transform_rays (const StackPlan &stack, const Memory &memory, const Bins &bins, std::span<const size_t> rays,
                     float *terms, float *work)
{
  with_terms (stack, terms, [&] (const auto &of_batch) {
    for (size_t i = 0; i < rays.size (); i++) {
      const auto number = static_cast<int64_t> (i);
      transform_ray (stack, memory, bins, rays[i], rays[i + 1 < rays.size () ? i + 1 : i], of_batch.of (number),
                     of_batch.inverse (number), work, work + stack.row_fft.scratch () * lanes);
    }
  });
}

#endif

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
