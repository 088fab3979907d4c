// SPDX-License-Identifier: LGPL-3.0-or-later
// Unsharp masks against sums over the whole window in float64.
#include "tests/filters/values/values.hpp"

namespace sino::test::unsharp_test {

namespace {

// Rounding of float32 in as many sums as the window has lines and columns.
void check (const Array &in, double sigma, double amount)
{
  const auto out = result_of ("unsharp", {{"sigma", text ("%g", sigma)}, {"amount", text ("%g", amount)}}, in);
  g_assert_true (out.format.element == Element::f32);
  g_assert_cmpstr (out.format.changed_by.c_str (), ==, "unsharp");
  const auto reach = std::lround (4 * sigma);
  const auto weight = [&] (int64_t k) { return std::exp (-0.5 * static_cast<double> (k * k) / (sigma * sigma)); };
  double all = 0;
  for (auto k = -reach; k <= reach; k++)
    all += weight (k);
  double largest = 0;
  for (size_t i = 0; i < size_of (in); i++)
    largest = std::max (largest, std::abs (value_at (in, i)));
  each_place (in, [&] (size_t place, int64_t i, int64_t j, int64_t k) {
    double smooth = 0;
    for (auto b = -reach; b <= reach; b++)
      for (auto c = -reach; c <= reach; c++)
        smooth += weight (b) * weight (c) * near_value (in, i, j + b, k + c);
    const auto value = value_at (in, place), right = value + amount * (value - smooth / (all * all));
    if (!(std::abs (value_at (out, place) - right) <= 1e-6 * (1 + std::abs (amount)) * largest))
      g_error ("sigma=%g amount=%g: value %zu is %.9g, not %.9g", sigma, amount, place, value_at (out, place), right);
  });
}

void test_elements ()
{
  for (const auto element : {Element::f32, Element::f16, Element::u16, Element::u8})
    for (const auto &format : streams (element)) {
      const auto in = filled (format, [] (size_t, float noise) { return 200 * noise + 10; });
      for (const double sigma : {0.2, 0.6, 1.0, 2.3})
        check (in, sigma, 0.7);
      check (in, 1.5, 30);
      check (in, 1, -1); // the Gaussian itself
    }
}

void test_wide ()
{
  check (filled (streams (Element::f32)[1], [] (size_t, float noise) { return noise - 0.5f; }), 7, 2);
}

// A constant stays, to a rounding, and so does everything where nothing is added.
void test_constants ()
{
  const auto flat = filled (streams (Element::f32)[0], [] (size_t, float) { return 3.0f; });
  const auto out = result_of ("unsharp", {{"sigma", "2"}, {"amount", "1"}}, flat);
  for (size_t i = 0; i < size_of (out); i++)
    g_assert_cmpfloat_with_epsilon (out.as<float> ()[i], 3.0f, 3e-6f);
  const auto in = filled (streams (Element::f32)[2], [] (size_t, float noise) { return noise; });
  same_bytes (result_of ("unsharp", {{"amount", "0"}}, in), in);
}

// NaN reaches as far as the window does, and no further.
void test_no_numbers ()
{
  auto in = filled (streams (Element::f32)[0], [] (size_t, float noise) { return noise; });
  const auto clean = result_of ("unsharp", {{"sigma", "0.5"}}, in);
  const size_t bad = (2 * 11 + 5) * 70 + 30; // angle 2, row 5, column 30
  in.as<float> ()[bad] = NAN;
  const auto out = result_of ("unsharp", {{"sigma", "0.5"}}, in);
  each_place (in, [&] (size_t place, int64_t i, int64_t j, int64_t k) {
    if (i == 2 && std::abs (j - 5) <= 2 && std::abs (k - 30) <= 2)
      g_assert_true (std::isnan (out.as<float> ()[place]));
    else
      g_assert_true (out.as<float> ()[place] == clean.as<float> ()[place]);
  });
}

void test_wrong ()
{
  auto other = streams (Element::f32)[0];
  other.axes.erase (other.axes.begin ());
  g_assert_true (refusal ("unsharp", {}, other).starts_with ("wants projections, sinograms or slices, got "));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/unsharp/elements", test_elements);
  g_test_add_func ("/unsharp/wide", test_wide);
  g_test_add_func ("/unsharp/constants", test_constants);
  g_test_add_func ("/unsharp/no-numbers", test_no_numbers);
  g_test_add_func ("/unsharp/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::unsharp_test
