// SPDX-License-Identifier: LGPL-3.0-or-later
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets; vectors without a fixed size have no arrays
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/remove-stripes/sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/remove-stripes/keys-inl.hpp"
#include "kernels/remove-stripes/sums.hpp"
#include "kernels/remove-stripes/transpose-inl.hpp"
#include "kernels/vectors-inl.hpp"
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D> HWY_INLINE hn::Vec<D> load_doubles (D d, const float *from)
{
  return hn::PromoteTo (d, hn::LoadU (hn::Rebind<float, D> (), from));
}

void fluctuations (const Shape &shape, const float *group, int64_t begin, int64_t end, double *sums)
{
  constexpr int64_t at_once = 32, before = 5, window = 10;
  const hn::CappedTag<double, 8> d;
  constexpr auto lanes = static_cast<int64_t> (hn::MaxLanes (d));
  for (auto first = begin; first < end; first += at_once) {
    const auto n = std::min (at_once, end - first), whole = n / lanes * lanes;
    const auto row = [&] (int64_t a) { return group + mirrored (a, shape.angles) * shape.columns + first; };
    double in_window[at_once] = {}, sum[at_once] = {};
    for (auto a = -before; a < window - before; a++)
      for (int64_t c = 0; c < n; c++)
        in_window[c] += static_cast<double> (row (a)[c]);
    const auto add = [&] (auto tag, int64_t c, const float *here, const float *comes, const float *goes) HWY_ATTR {
      const auto inside = hn::LoadU (tag, in_window + c);
      const auto mean = hn::Div (inside, hn::Set (tag, static_cast<double> (window)));
      const auto far = hn::Abs (hn::Sub (load_doubles (tag, here + c), mean));
      hn::StoreU (hn::Add (hn::LoadU (tag, sum + c), far), tag, sum + c);
      const auto change = hn::Sub (load_doubles (tag, comes + c), load_doubles (tag, goes + c));
      hn::StoreU (hn::Add (inside, change), tag, in_window + c);
    };
    for (int64_t a = 0; a < shape.angles; a++) {
      const auto *here = row (a), *comes = row (a + window - before), *goes = row (a - before);
      int64_t c = 0;
      for (; c < whole; c += lanes)
        add (d, c, here, comes, goes);
      for (; c < n; c++)
        add (hn::CappedTag<double, 1> (), c, here, comes, goes);
    }
    for (int64_t c = 0; c < n; c++)
      sums[first + c] = std::isfinite (sum[c]) ? sum[c] : std::numeric_limits<double>::infinity ();
  }
}

// Values of several columns are transposed, so that a vector has a value of each.
void mean_ranks (const Shape &shape, const int32_t *strips, int64_t begin, int64_t end, int64_t dropped, double *means)
{
  constexpr int64_t together = 16;
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<int32_t, decltype (d)> half;
  constexpr auto lanes = static_cast<int64_t> (hn::MaxLanes (d)), vectors = together / lanes;
  int32_t keys[strip * together] = {}; // [rank][column]
  for (auto first = begin; first < end; first += together) {
    const auto n = std::min (together, end - first);
    hn::Vec<decltype (d)> sum[vectors];
    for (auto &each : sum)
      each = hn::Zero (d);
    for (int64_t s = 0; s < shape.strips (); s++) {
      const auto from = std::max<int64_t> (dropped - s * strip, 0),
                 to = std::min (shape.width (s), shape.angles - dropped - s * strip);
      if (from >= to)
        continue;
      transpose (strips + shape.place (s, first) + from, shape.width (s), n, to - from, keys, together);
      for (int64_t r = 0; r < to - from; r++)
#pragma GCC unroll 16
        for (int64_t v = 0; v < vectors; v++) {
          const auto values = values_of (half, hn::LoadU (half, keys + r * together + v * lanes));
          sum[v] = hn::Add (sum[v], hn::PromoteTo (d, values));
        }
    }
    double sums[together];
#pragma GCC unroll 16
    for (int64_t v = 0; v < vectors; v++)
      hn::StoreU (sum[v], d, sums + v * lanes);
    for (int64_t c = 0; c < n; c++)
      means[first + c] = sums[c] / static_cast<double> (shape.angles - 2 * dropped);
  }
}

// The sums and means of some columns of a mean.
HWY_INLINE void mean_of_angles (const Shape &group, const float *in, int64_t begin, int64_t end, int64_t columns,
                                int32_t *keys)
{
  constexpr int64_t at_once = 64;
  for (int64_t first = 0; first < columns; first += at_once) {
    const auto n = std::min (at_once, columns - first);
    float sum[at_once] = {}, count[at_once] = {};
    for (auto a = begin; a < end; a++)
      kernels::HWY_NAMESPACE::over (n, [&] (auto d, int64_t c) HWY_ATTR {
        const auto value = hn::LoadU (d, in + a * group.columns + first + c);
        const auto is_number = hn::IsFinite (value);
        hn::StoreU (hn::Add (hn::LoadU (d, sum + c), hn::IfThenElseZero (is_number, value)), d, sum + c);
        hn::StoreU (hn::Add (hn::LoadU (d, count + c), hn::IfThenElseZero (is_number, hn::Set (d, 1.0f))), d,
                    count + c);
      });
    for (int64_t c = 0; c < n; c++)
      keys[first + c] = key_of (sum[c] / count[c]);
  }
}

void means_of_angles (const Shape &group, const float *in, std::span<const Bridge> bridges, const Shape &means,
                      int64_t begin, int64_t end, int32_t *strips)
{
  constexpr int64_t together = 8, at_once = 256; // means and columns whose keys are transposed together
  int32_t keys[together * at_once];
  const auto first_of = [&] (int64_t i) { return i * group.angles / means.angles; };
  for (auto i = begin; i < end;) {
    const auto s = i / strip, number = std::min ({together, end - i, (s + 1) * strip - i}), step = means.width (s);
    auto *const to = strips + means.place (s, 0) + i % strip;
    for (int64_t first = 0; first < group.columns; first += at_once) {
      const auto n = std::min (at_once, group.columns - first);
      for (int64_t k = 0; k < number; k++)
        mean_of_angles (group, in + first, first_of (i + k), first_of (i + k + 1), n, keys + k * at_once);
      transpose (keys, at_once, number, n, to + first * step, step);
    }
    for (int64_t c = 0; c < std::ssize (bridges); c++)
      if (const auto &bridge = bridges[static_cast<size_t> (c)]; !bridge.is_own ())
        for (int64_t k = 0; k < number; k++) {
          const auto from = first_of (i + k), until = first_of (i + k + 1);
          float sum = 0;
          for (auto a = from; a < until; a++)
            sum += bridge.across (in + a * group.columns);
          to[c * step + k] = key_of (sum / static_cast<float> (until - from));
        }
    i += number;
  }
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::remove_stripes {

HWY_EXPORT (fluctuations);
HWY_EXPORT (mean_ranks);
HWY_EXPORT (means_of_angles);

void fluctuations (const Shape &shape, const float *group, int64_t begin, int64_t end, double *sums)
{
  HWY_DYNAMIC_DISPATCH (fluctuations) (shape, group, begin, end, sums);
}

void mean_ranks (const Shape &shape, const int32_t *strips, int64_t begin, int64_t end, int64_t dropped, double *means)
{
  HWY_DYNAMIC_DISPATCH (mean_ranks) (shape, strips, begin, end, dropped, means);
}

void means_of_angles (const Shape &group, const float *in, std::span<const Bridge> bridges, const Shape &means,
                      int64_t begin, int64_t end, int32_t *strips)
{
  HWY_DYNAMIC_DISPATCH (means_of_angles) (group, in, bridges, means, begin, end, strips);
}

} // namespace sino::remove_stripes
#endif
