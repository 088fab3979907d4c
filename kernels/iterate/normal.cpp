// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/iterate/normal.hpp"
#include "kernels/fourier-reconstruct/kaiser-bessel.hpp"
#include "kernels/iterate/line.hpp"

namespace sino::iterate {

namespace {

// Rows r = 0 .. period / 2 of complex values with value (-r, i) = conj (value (r, i)): the sums over all rows, which
// are real, to take (i, values).
template <class Take>
void transform_across (const Fft &fft, const std::vector<Complex> &rows, int64_t width, const Cpu &cpu, Take take)
{
  const auto period = fft.length ();
  cpu.parallel (width, 8, [&] (int64_t begin, int64_t end) {
    Line line (fft);
    for (auto i = begin; i < end; i++) {
      line.fill (period, [&] (int64_t r) {
        const bool other = 2 * r > period;
        const auto value = rows[static_cast<size_t> ((other ? period - r : r) * width + i)];
        return other ? std::conj (value) : value;
      });
      take (i, line.transformed ());
    }
  });
}

// The grid of frequencies, of which the upper half is enough: lines y = 0 .. cells / 2, all rays twice.
class Spreader
{
public:
  Spreader (std::span<const Ray> r, int64_t p, int64_t c, const fourier_reconstruct::KaiserBessel &f)
      : rays (r), padded (p), cells (c), phi (f), scale (static_cast<double> (c) / static_cast<double> (p))
  {
    for (int64_t k = 0; 2 * k <= padded; k++)
      bins.push_back (sinc (frequency (k)));
  }

  // Lines begin .. end - 1, dense.
  std::vector<double> lines (int64_t begin, int64_t end) const
  {
    std::vector<double> to (static_cast<size_t> ((end - begin) * cells), 0.0);
    // Beyond the last line, terms come from the opposite side.
    for (const auto &ray : rays)
      for (const int64_t turn : {int64_t{0}, cells})
        spread (ray, begin, end, turn, to.data ());
    return to;
  }

private:
  std::span<const Ray> rays;
  const int64_t padded, cells;
  const fourier_reconstruct::KaiserBessel &phi;
  const double scale;
  std::vector<double> bins; // what a bin does to frequency k

  double frequency (int64_t k) const { return static_cast<double> (k) / static_cast<double> (padded); }

  // The terms of a ray whose cells are among these lines, with the place in y moved by `turn`.
  void spread (const Ray &ray, int64_t begin, int64_t end, int64_t turn, double *to) const
  {
    const auto most = padded / 2 - (padded % 2 == 0 ? 1 : 0);
    const double step = -ray.sin * scale, reach = 0.5 * phi.width ();
    auto first = -most, last = most;
    const double low = static_cast<double> (begin - turn) - reach - 1, high = static_cast<double> (end - turn) + reach;
    if (std::abs (step) * static_cast<double> (most) > 0) {
      const double a = low / step, b = high / step;
      first = std::max (first, static_cast<int64_t> (std::floor (std::clamp (std::min (a, b), -1e15, 1e15))));
      last = std::min (last, static_cast<int64_t> (std::ceil (std::clamp (std::max (a, b), -1e15, 1e15))));
    } else if (low > 0 || high < 0)
      return;
    const double share = static_cast<double> (ray.weight) / static_cast<double> (padded);
    double weights_x[16], weights_y[16];
    for (auto k = first; k <= last; k++) {
      const auto y = cells_of (static_cast<double> (k) * step + static_cast<double> (turn), weights_y);
      if (y >= end || y + phi.width () <= begin)
        continue;
      const auto x = cells_of (static_cast<double> (k) * ray.cos * scale, weights_x);
      const double v = frequency (k),
                   h = bins[static_cast<size_t> (std::abs (k))] * sinc (v * ray.cos) * sinc (v * ray.sin);
      const double value = h * h * share;
      for (int j = 0; j < phi.width (); j++)
        if (y + j >= begin && y + j < end)
          add (to + (y + j - begin) * cells, x, value * weights_y[j], weights_x);
    }
  }

  // Adds a line of phi's cells, of which the first is x.
  void add (double *line, int64_t x, double value, const double *weights) const
  {
    if (x >= 0 && x + phi.width () <= cells)
      for (int i = 0; i < phi.width (); i++)
        line[x + i] += value * weights[i];
    else
      for (int i = 0; i < phi.width (); i++)
        line[wrapped (x + i)] += value * weights[i];
  }

  int64_t wrapped (int64_t x) const { return x < 0 ? x + cells : x >= cells ? x - cells : x; }

  // The first cell that a term touches, and the weights of all.
  int64_t cells_of (double at, double *weights) const
  {
    const double from = at - 0.5 * phi.width (), first = std::ceil (from), z = 2 * (first - from) - 1;
    const auto width = static_cast<size_t> (phi.width ());
    const float *c = phi.coefficients ().data ();
    for (size_t t = 0; t < width; t++)
      weights[t] = static_cast<double> (c[t]);
    for (int d = 1; d <= phi.degree (); d++) {
      c += width;
      for (size_t t = 0; t < width; t++)
        weights[t] = weights[t] * z + static_cast<double> (c[t]);
    }
    return static_cast<int64_t> (first);
  }
};

} // namespace

Lags lags_of (int64_t size, std::span<const Ray> rays, int64_t padded, const Cpu &cpu)
{
  constexpr int64_t lines_together = 16;
  const auto cells = 4 * size, columns = size + 1;
  const fourier_reconstruct::KaiserBessel phi (8, 2);
  const Spreader spreader (rays, padded, cells, phi);
  const Fft fft (cells);
  std::vector<float> correction (static_cast<size_t> (columns));
  cpu.parallel (columns, 64, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++)
      correction[static_cast<size_t> (i)] =
          static_cast<float> (1 / phi.transform (static_cast<double> (i) / static_cast<double> (cells)));
  });

  std::vector<Complex> rows (static_cast<size_t> ((cells / 2 + 1) * columns));
  cpu.parallel ((cells / 2 + lines_together) / lines_together, 1, [&] (int64_t begin, int64_t end) {
    Line line (fft);
    for (auto part = begin; part < end; part++) {
      const auto first = part * lines_together, last = std::min (first + lines_together, cells / 2 + 1);
      const auto values = spreader.lines (first, last);
      for (auto y = first; y < last; y++) {
        line.fill (cells, [&] (int64_t x) {
          return Complex{static_cast<float> (values[static_cast<size_t> ((y - first) * cells + x)]), 0};
        });
        std::copy_n (line.transformed (), columns, rows.begin () + y * columns);
      }
    }
  });

  Lags lags{.size = size, .values = std::vector<float> (static_cast<size_t> (columns * 2 * size))};
  transform_across (fft, rows, columns, cpu, [&] (int64_t x, const Complex *values) {
    float *to = lags.values.data () + x * 2 * size;
    const float across = correction[static_cast<size_t> (x)];
    for (auto y = -size; y < size; y++)
      to[y + size] = values[y < 0 ? y + cells : y].real () * across * correction[static_cast<size_t> (std::abs (y))];
  });
  return lags;
}

std::vector<float> even_frequencies (int64_t period, std::vector<float> columns, const Cpu &cpu)
{
  const Fft fft (period);
  std::vector<Complex> transformed (static_cast<size_t> ((period / 2 + 1) * period));
  cpu.parallel (period / 2 + 1, 8, [&] (int64_t begin, int64_t end) {
    Line line (fft);
    for (auto r = begin; r < end; r++) {
      line.fill (period, [&] (int64_t i) { return Complex{columns[static_cast<size_t> (r * period + i)], 0}; });
      std::copy_n (line.transformed (), period, transformed.begin () + r * period);
    }
  });
  columns = {};
  std::vector<float> frequencies (static_cast<size_t> (period * period));
  transform_across (fft, transformed, period, cpu, [&] (int64_t i, const Complex *values) {
    std::transform (values, values + period, frequencies.begin () + i * period,
                    [] (const Complex &value) { return value.real (); });
  });
  return frequencies;
}

std::vector<float> normal_frequencies (const Lags &lags, const Cpu &cpu)
{
  const auto period = 2 * lags.size;
  std::vector<float> rows (static_cast<size_t> ((lags.size + 1) * period), 0.0F);
  for (int64_t x = 0; x < lags.size; x++)
    for (auto y = 1 - lags.size; y < lags.size; y++)
      rows[static_cast<size_t> (x * period + (y < 0 ? y + period : y))] = lags.column (x)[y + lags.size];
  return even_frequencies (period, std::move (rows), cpu);
}

} // namespace sino::iterate
