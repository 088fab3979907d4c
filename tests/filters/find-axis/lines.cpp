// SPDX-License-Identifier: LGPL-3.0-or-later
// Loops over lines, with every instruction set, against sums written out in float64. Costs 0.1 s.
#include "kernels/find-axis/lines.hpp"
#include "tests/support/instruction-sets.hpp"
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sino::test::find_axis_lines_test {

using namespace find_axis;

namespace {

constexpr int64_t lengths[] = {1, 2, 7, 8, 31, 64, 77};

std::vector<float> any_values (int64_t n, uint32_t seed)
{
  std::mt19937 random (seed);
  std::uniform_real_distribution<float> any (-1, 1);
  std::vector<float> values (static_cast<size_t> (n));
  for (auto &value : values)
    value = any (random);
  return values;
}

std::vector<Complex> any_spectrum (int64_t n, uint32_t seed)
{
  const auto parts = any_values (2 * n, seed);
  std::vector<Complex> values;
  for (size_t i = 0; i < static_cast<size_t> (n); i++)
    values.emplace_back (parts[2 * i], parts[2 * i + 1]);
  return values;
}

void near (double is, double right)
{
  g_assert_cmpfloat_with_epsilon (is, right, 1e-12 * (1 + std::abs (right)));
}

// What is no number neither counts nor spoils a sum. The others are added one by one, as here: not a bit may differ.
void check_numbers ()
{
  for (const auto n : lengths) {
    const auto size = static_cast<size_t> (n);
    std::vector<double> sums (size), counts (size), squares (size), right (size), number (size), off (size);
    const std::vector<double> means (size, 0.3);
    for (uint32_t line = 0; line < 5; line++) {
      auto values = any_values (n, line);
      constexpr float none[] = {NAN, INFINITY, -INFINITY};
      if (line < 3)
        values[line % size] = none[line];
      add_numbers (values.data (), n, sums.data (), counts.data ());
      add_squares (values.data (), n, means.data (), squares.data ());
      for (size_t c = 0; c < size; c++)
        if (std::isfinite (values[c])) {
          const auto value = static_cast<double> (values[c]), distance = value - means[c];
          right[c] += value;
          number[c]++;
          off[c] += distance * distance;
        }
    }
    g_assert_true (sums == right && counts == number);
    for (size_t c = 0; c < size; c++)
      near (squares[c], off[c]);
  }
}

void check_sum (const Compared &is, const std::vector<Complex> &a, const std::vector<Complex> &b,
                const std::vector<double> &signs)
{
  std::complex<double> product;
  double energy = 0, variance = 0;
  for (size_t i = 0; i < a.size (); i++) {
    const std::complex<double> first (a[i]), second (b[i]);
    product += signs[i] * std::conj (first * second);
    energy += 0.5 * (std::norm (first) + std::norm (second));
    variance += std::norm (first) * std::norm (second);
  }
  near (is.real, product.real ());
  near (is.imaginary, product.imag ());
  near (is.energy, energy);
  near (is.variance, variance);
}

void check_compare ()
{
  for (const auto n : lengths) {
    const auto a = any_spectrum (n, 1), b = any_spectrum (n, 2);
    check_sum (compare (a.data (), b.data (), n), a, b, std::vector<double> (static_cast<size_t> (n), 1));
  }
  constexpr int64_t length = 160;
  const auto ends = any_spectrum (length, 3);
  for (const int64_t begin : {2, 5, 61, 78, 79, 80, 90}) {
    std::vector<Complex> a, b;
    std::vector<double> signs;
    for (auto v = begin; v < length / 2; v++) {
      a.push_back (ends[static_cast<size_t> (v)]);
      b.push_back (ends[static_cast<size_t> (length - v)]);
      signs.push_back (v % 2 ? 1 : -1);
    }
    check_sum (compare_ends (ends.data (), length, begin, length / 2), a, b, signs);
  }
}

void test_numbers ()
{
  for_each_set (check_numbers);
}

void test_compare ()
{
  for_each_set (check_compare);
}

void test_bins ()
{
  for (const int64_t bin : {1, 2, 3, 4, 5, 8, 9, 16}) {
    constexpr int64_t bins = 13;
    const auto line = any_values (bin * bins + 1, 4);
    std::vector<float> out (bins);
    bin_line (line.data (), bin, bins, out.data ());
    for (int64_t c = 0; c < bins; c++) {
      float sum = 0;
      for (int64_t i = 0; i < bin; i++)
        sum += line[static_cast<size_t> (c * bin + i)];
      g_assert_true (out[static_cast<size_t> (c)] == sum);
    }
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/find-axis/lines/numbers", test_numbers);
  g_test_add_func ("/find-axis/lines/compare", test_compare);
  g_test_add_func ("/find-axis/lines/bins", test_bins);
  return g_test_run ();
}

} // namespace sino::test::find_axis_lines_test
