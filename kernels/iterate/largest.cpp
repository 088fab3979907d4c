// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/largest.hpp"
#include "kernels/iterate/line.hpp"
#include "kernels/iterate/steps.hpp"
#include <algorithm>
#include <numeric>

namespace sino::iterate {

namespace {

constexpr int steps = 40;
using Image = std::vector<float>;

// Convolution with real frequencies over a period of at least the image's size.
class Convolution
{
public:
  Convolution (int64_t n, int64_t period, std::span<const float> f, const Cpu &c)
      : size (n), fft (period), frequencies (f), cpu (c), between (static_cast<size_t> (n * period))
  {
  }

  void apply (Image &image)
  {
    const auto period = fft.length ();
    cpu.parallel (size, 8, [&] (int64_t begin, int64_t end) {
      Line line (fft);
      for (auto y = begin; y < end; y++) {
        line.fill (size, [&] (int64_t x) { return Complex{image[static_cast<size_t> (y * size + x)], 0}; });
        std::copy_n (line.transformed (), period, between.begin () + y * period);
      }
    });
    const float scale = 1 / static_cast<float> (period * period);
    cpu.parallel (period, 8, [&] (int64_t begin, int64_t end) {
      Line line (fft);
      for (auto x = begin; x < end; x++) {
        const auto at = [&] (int64_t y) -> Complex & { return between[static_cast<size_t> (y * period + x)]; };
        line.fill (size, at);
        const auto *values = line.transformed ();
        line.fill (period,
                   [&] (int64_t y) { return values[y] * scale * frequencies[static_cast<size_t> (y * period + x)]; });
        values = line.transformed_back ();
        for (int64_t y = 0; y < size; y++)
          at (y) = values[y];
      }
    });
    cpu.parallel (size, 8, [&] (int64_t begin, int64_t end) {
      Line line (fft);
      for (auto y = begin; y < end; y++) {
        line.fill (period, [&] (int64_t x) { return between[static_cast<size_t> (y * period + x)]; });
        const auto *values = line.transformed_back ();
        for (int64_t x = 0; x < size; x++)
          image[static_cast<size_t> (y * size + x)] = values[x].real ();
      }
    });
  }

private:
  const int64_t size;
  const Fft fft;
  const std::span<const float> frequencies;
  const Cpu &cpu;
  std::vector<Complex> between;
};

double product (const Image &a, const Image &b)
{
  return std::transform_reduce (a.begin (), a.end (), b.begin (), 0.0, std::plus (),
                                [] (float x, float y) { return static_cast<double> (x) * static_cast<double> (y); });
}

// grad^T grad, the Laplacian with the borders of an image.
void add_laplacian (int64_t size, const Image &from, float factor, Image &to)
{
  const auto add = [&] (int64_t a, int64_t b) {
    const float difference = factor * (from[static_cast<size_t> (a)] - from[static_cast<size_t> (b)]);
    to[static_cast<size_t> (a)] += difference;
    to[static_cast<size_t> (b)] -= difference;
  };
  for (int64_t y = 0; y < size; y++)
    for (int64_t x = 0; x < size; x++) {
      if (x + 1 < size)
        add (y * size + x, y * size + x + 1);
      if (y + 1 < size)
        add (y * size + x, (y + 1) * size + x);
    }
}

} // namespace

double largest_of (const std::vector<double> &diagonal, const std::vector<double> &beside)
{
  double low = *std::ranges::max_element (diagonal), high = low;
  for (const auto value : beside)
    high += 2 * std::abs (value);
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    double pivot = 1;
    bool above = true;
    for (size_t j = 0; j < diagonal.size () && above; j++) {
      pivot = middle - diagonal[j] - (j > 0 ? beside[j - 1] * beside[j - 1] / pivot : 0);
      above = pivot > 0;
    }
    (above ? high : low) = middle;
  }
  return high;
}

double largest_eigenvalue (int64_t n, std::span<const float> frequencies, std::span<const float> metric, double radius,
                           const Cpu &cpu)
{
  std::vector<float> roots (metric.size ());
  std::ranges::transform (metric, roots.begin (), [] (float value) { return std::sqrt (value); });
  Convolution half (n, n, roots, cpu), normal (n, 2 * n, frequencies, cpu);
  const auto in_circle = [&] (Image &image) {
    for (int64_t y = 0; y < n; y++)
      for (int64_t x = 0; x < n; x++)
        if (std::hypot (static_cast<double> (2 * x + 1 - n), static_cast<double> (2 * y + 1 - n)) >= 2 * radius)
          image[static_cast<size_t> (y * n + x)] = 0;
  };

  Image vector (static_cast<size_t> (n * n)), before (vector.size (), 0.0F);
  uint32_t state = 1;
  for (auto &value : vector)
    value = static_cast<float> (static_cast<int32_t> (state = state * 1664525U + 1013904223U)) / 2147483648.0F;
  const auto norm = static_cast<float> (std::sqrt (product (vector, vector)));
  for (auto &value : vector)
    value /= norm;

  std::vector<double> diagonal, beside;
  for (int i = 0; i < steps; i++) {
    auto inner = vector;
    half.apply (inner);
    in_circle (inner);
    auto image = inner;
    normal.apply (image);
    for (size_t j = 0; j < image.size (); j++)
      image[j] = 0.5F * image[j] + positive_step * inner[j];
    add_laplacian (n, inner, dual_step, image);
    in_circle (image);
    half.apply (image);
    const double last = beside.empty () ? 0 : beside.back (), share = product (image, vector);
    for (size_t j = 0; j < image.size (); j++)
      image[j] -= static_cast<float> (share) * vector[j] + static_cast<float> (last) * before[j];
    diagonal.push_back (share);
    const double length = std::sqrt (product (image, image));
    if (!(length > 1e-6))
      break;
    beside.push_back (length);
    before = std::move (vector);
    vector = std::move (image);
    for (auto &value : vector)
      value /= static_cast<float> (length);
  }
  return largest_of (diagonal, beside);
}

} // namespace sino::iterate
