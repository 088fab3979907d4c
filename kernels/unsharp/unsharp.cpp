// SPDX-License-Identifier: LGPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/unsharp/unsharp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/load-inl.hpp"
#include "kernels/unsharp/unsharp.hpp"
#include "kernels/vectors-inl.hpp"
#include <cstddef>

HWY_BEFORE_NAMESPACE ();
namespace sino::unsharp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using kernels::HWY_NAMESPACE::load;
using kernels::HWY_NAMESPACE::over;

// Convolves across lines, then along the result: adds pairs of values around the middle, smallest weights first.
template <class T>
void line_of (std::span<const std::byte *const> lines, std::span<const float> weights, float amount, int64_t step,
              int64_t n, float *scratch, float *out)
{
  const auto reach = static_cast<int64_t> (weights.size ()) - 1;
  const auto row = [&] (int64_t k) { return reinterpret_cast<const T *> (lines[static_cast<size_t> (reach + k)]); };
  over (n + 2 * reach * step, [&] (auto d, int64_t i) HWY_ATTR {
    auto sum = hn::Zero (d);
    for (auto k = reach; k > 0; k--)
      sum = hn::MulAdd (hn::Set (d, weights[static_cast<size_t> (k)]),
                        hn::Add (load (d, row (-k) + i), load (d, row (k) + i)), sum);
    hn::StoreU (hn::MulAdd (hn::Set (d, weights[0]), load (d, row (0) + i), sum), d, scratch + i);
  });
  const auto *middle = scratch + reach * step;
  const auto *own = row (0) + reach * step;
  over (n, [&] (auto d, int64_t i) HWY_ATTR {
    auto sum = hn::Zero (d);
    for (auto k = reach; k > 0; k--)
      sum = hn::MulAdd (hn::Set (d, weights[static_cast<size_t> (k)]),
                        hn::Add (hn::LoadU (d, middle + i - k * step), hn::LoadU (d, middle + i + k * step)), sum);
    sum = hn::MulAdd (hn::Set (d, weights[0]), hn::LoadU (d, middle + i), sum);
    const auto value = load (d, own + i);
    hn::StoreU (hn::MulAdd (hn::Set (d, amount), hn::Sub (value, sum), value), d, out + i);
  });
}

void line (Element element, std::span<const std::byte *const> lines, std::span<const float> weights, float amount,
           int64_t step, int64_t n, float *scratch, float *out)
{
  kernels::HWY_NAMESPACE::of_type (
      element, lines[0], [&]<class T> (const T *) { line_of<T> (lines, weights, amount, step, n, scratch, out); });
}

} // namespace sino::unsharp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::unsharp {

HWY_EXPORT (line);

std::vector<float> gaussian (double sigma)
{
  const auto reach = reach_of (sigma);
  const auto sample = [&] (int64_t k) { return std::exp (-0.5 * std::pow (static_cast<double> (k) / sigma, 2)); };
  double sum = 1;
  for (int64_t k = 1; k <= reach; k++)
    sum += 2 * sample (k);
  std::vector<float> weights;
  for (int64_t k = 0; k <= reach; k++)
    weights.push_back (static_cast<float> (sample (k) / sum));
  return weights;
}

void unsharp_line (Element element, std::span<const std::byte *const> lines, std::span<const float> weights,
                   float amount, int64_t step, int64_t n, float *scratch, float *out)
{
  HWY_DYNAMIC_DISPATCH (line) (element, lines, weights, amount, step, n, scratch, out);
}

} // namespace sino::unsharp
#endif
