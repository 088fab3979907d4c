// SPDX-License-Identifier: LGPL-3.0-or-later
// The iterations of kernels/iterate for one slice, in double, without transforms of slices.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace sino::test::iterate_test {

using Slice = std::vector<double>;

struct Noise {
  uint32_t state;
  double next () // -0.5 .. 0.5
  {
    state = state * 1664525U + 1013904223U;
    return static_cast<double> (state ^ state >> 15) / 4294967296.0 - 0.5;
  }
};

// A convolution with an even kernel of random lags, whose sum is written out. Its transform has `period`; the slice
// repeats if that is its width. Positive definite.
class Kernel
{
public:
  Kernel (int64_t width, int64_t p, double scale) : n (width), period (p)
  {
    Noise noise{static_cast<uint32_t> (width + p)};
    double sum = 0;
    for (int i = 0; i < 20; i++) {
      const auto lag = [&] { return static_cast<int64_t> (noise.next () * 2 * static_cast<double> (n)); };
      lags.push_back ({lag (), lag (), scale / 20 * noise.next ()});
      sum += 2 * std::abs (lags.back ().value);
    }
    lags.push_back ({0, 0, 0.6 * sum}); // counts twice
  }

  // [row][column]
  std::vector<float> frequencies () const
  {
    std::vector<double> cosines;
    for (int64_t i = 0; i < period; i++)
      cosines.push_back (std::cos (2 * std::numbers::pi * static_cast<double> (i) / static_cast<double> (period)));
    std::vector<float> all;
    for (int64_t y = 0; y < period; y++)
      for (int64_t x = 0; x < period; x++) {
        double sum = 0;
        for (const auto &lag : lags)
          sum += 2 * lag.value * cosines[static_cast<size_t> (wrapped (y * lag.y + x * lag.x))];
        all.push_back (static_cast<float> (sum));
      }
    return all;
  }

  Slice apply (const Slice &slice) const
  {
    Slice sums (slice.size ());
    for (const auto &lag : lags)
      for (const int sign : {-1, 1})
        for (int64_t y = 0; y < n; y++)
          for (int64_t x = 0; x < n; x++) {
            auto v = y + sign * lag.y, u = x + sign * lag.x;
            if (period == n) {
              v = wrapped (v);
              u = wrapped (u);
            }
            if (v >= 0 && v < n && u >= 0 && u < n)
              sums[static_cast<size_t> (y * n + x)] += lag.value * slice[static_cast<size_t> (v * n + u)];
          }
    return sums;
  }

private:
  struct Lag {
    int64_t y, x;
    double value;
  };
  int64_t wrapped (int64_t i) const { return (i % period + period) % period; }

  int64_t n, period;
  std::vector<Lag> lags;
};

struct Problem {
  int64_t n;
  const Kernel &convolution, &metric;
  std::function<bool (int64_t y, int64_t x)> inside;
  Slice data;
  double lambda, sigma, positive;

  Slice masked (Slice slice) const
  {
    for (int64_t y = 0; y < n; y++)
      for (int64_t x = 0; x < n; x++)
        if (!inside (y, x))
          slice[static_cast<size_t> (y * n + x)] = 0;
    return slice;
  }
};

inline double dot (const Slice &a, const Slice &b)
{
  double sum = 0;
  for (size_t i = 0; i < a.size (); i++)
    sum += a[i] * b[i];
  return sum;
}
// a + factor b
inline Slice plus (const Slice &a, double factor, const Slice &b)
{
  auto sum = a;
  for (size_t i = 0; i < a.size (); i++)
    sum[i] += factor * b[i];
  return sum;
}
// Relative RMS.
inline double difference (const Slice &a, const Slice &truth)
{
  const auto off = plus (a, -1, truth);
  const auto error = std::sqrt (dot (off, off) / dot (truth, truth));
  return std::isnan (error) ? HUGE_VAL : error;
}

struct Tv {
  Slice x;
  double product, change, square; // the sums of the last iteration
};

inline Tv plain_tv (const Problem &problem, const Slice &from, int iterations)
{
  const auto n = static_cast<size_t> (problem.n);
  Tv tv{problem.masked (from), 0, 0, 0};
  Slice q = tv.x, down (n * n), right (n * n), positive (n * n);
  for (int i = 0; i < iterations; i++) {
    for (size_t at = 0; at < n * n; at++) {
      const bool lowest = at / n + 1 == n, rightmost = at % n + 1 == n;
      down[at] += lowest ? 0 : problem.sigma * (q[at + n] - q[at]);
      right[at] += rightmost ? 0 : problem.sigma * (q[at + 1] - q[at]);
      const double size = std::hypot (down[at], right[at]);
      if (size > problem.lambda) {
        down[at] *= problem.lambda / size;
        right[at] *= problem.lambda / size;
      }
      positive[at] = std::min (positive[at] + problem.positive * q[at], 0.0);
    }
    auto gradient = plus (problem.convolution.apply (tv.x), -1, problem.data);
    tv.product = dot (tv.x, plus (gradient, -1, problem.data));
    for (size_t at = 0; at < n * n; at++) {
      gradient[at] += positive[at] - down[at] - right[at];
      if (at >= n)
        gradient[at] += down[at - n];
      if (at % n > 0)
        gradient[at] += right[at - 1];
    }
    const auto now = plus (tv.x, -1, problem.masked (problem.metric.apply (problem.masked (gradient))));
    const auto change = plus (now, -1, tv.x);
    tv.change = dot (change, change);
    tv.square = dot (now, now);
    q = plus (now, 1, change);
    tv.x = now;
  }
  return tv;
}

// Preconditioned conjugate gradients as textbooks have them.
inline Slice plain_cgls (const Problem &problem, const Slice &from, int iterations)
{
  const auto t = [&] (const Slice &x) { return problem.masked (problem.convolution.apply (x)); };
  const auto m = [&] (const Slice &r) { return problem.masked (problem.metric.apply (r)); };
  auto x = problem.masked (from);
  auto r = plus (problem.masked (problem.data), -1, t (x)), z = m (r), p = z;
  auto rz = dot (r, z);
  for (int i = 0; i < iterations; i++) {
    const auto q = t (p);
    const auto alpha = rz / dot (p, q);
    x = plus (x, alpha, p);
    r = plus (r, -alpha, q);
    z = m (r);
    const auto next = dot (r, z);
    p = plus (z, next / rz, p);
    rz = next;
  }
  return x;
}

} // namespace sino::test::iterate_test
