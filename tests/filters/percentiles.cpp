// SPDX-License-Identifier: LGPL-3.0-or-later
// Percentiles against those of the sorted values, interpolated between neighbours (numpy's default).
#include "tests/filters/values/values.hpp"

namespace sino::test::percentiles_test {

namespace {

double truth (const Array &in, double percentile)
{
  const bool zeros = in.format.kind () != Kind::slices;
  std::vector<double> values;
  for (size_t i = 0; i < size_of (in); i++)
    if (const auto value = value_at (in, i); std::isfinite (value) && (zeros || value != 0))
      values.push_back (value);
  std::sort (values.begin (), values.end ());
  const auto rank = percentile / 100 * static_cast<double> (values.size () - 1);
  const auto below = static_cast<size_t> (rank);
  const auto next = values[std::min (below + 1, values.size () - 1)];
  return values[below] + (next - values[below]) * (rank - static_cast<double> (below));
}

// The two numbers, whatever the cut.
std::pair<double, double> found (const Array &in, const std::string &between)
{
  const auto task = make_task ("percentiles", {{"between", between}});
  const auto whole = run_task (*task, {&in});
  g_assert_cmpuint (size_of (whole), ==, 2);
  for (const auto cut : {Cut{.rows = 1, .angles = 2, .threads = 1}, Cut{.angles = 3, .threads = 3}})
    same_bytes (run_task (*make_task ("percentiles", {{"between", between}}), {&in}, cut), whole);
  return {value_at (whole, 0), value_at (whole, 1)};
}

// A part in 8192 of a value, which bins have in common, and neighbours that lie apart.
void check (const Array &in, double low, double high, double apart)
{
  const auto [min, max] = found (in, text ("%g:%g", low, high));
  for (const auto &[is, right] : {std::pair{min, truth (in, low)}, {max, truth (in, high)}})
    if (!(std::abs (is - right) <= std::abs (right) / 8192 + apart))
      g_error ("%g:%g: %.9g, not %.9g", low, high, is, right);
}

void test_floats ()
{
  for (const auto &format : streams (Element::f32)) {
    const auto in = filled (format, [] (size_t i, float noise) {
      return i % 13 == 0 ? NAN : i % 17 == 0 ? INFINITY : i % 5 == 0 ? 0 : noise * noise - 0.3f;
    });
    for (const auto &[low, high] : {std::pair{0.5, 99.5}, {0.0, 100.0}, {25.0, 50.0}, {0.0, 1.0}})
      check (in, low, high, 4e-3);
  }
}

void test_ends_are_exact ()
{
  const auto in = line_of ({3.00001f, -7.123456f, 1, 12.345678f});
  const auto [min, max] = found (in, "0:100");
  g_assert_true (min == static_cast<double> (-7.123456f) && max == static_cast<double> (12.345678f));
}

// Between values that lie far apart, it is on the way from one to the next.
void test_sparse ()
{
  const auto in = line_of ({1, 2, 3, 50, 400, 1e6f});
  for (const auto &[low, high] : {std::pair{10., 90.}, {45., 95.}, {61., 79.}, {2., 81.}})
    check (in, low, high, 1e6 / 8192 * (high > 80));
}

void test_integers ()
{
  for (const auto element : {Element::u8, Element::u16, Element::f16})
    for (const auto &format : streams (element))
      check (filled (format, [] (size_t, float noise) { return 250 * noise; }), 2, 98, 1);
}

void test_a_single_value ()
{
  const auto [min, max] = found (filled (streams (Element::f32)[1], [] (size_t, float) { return -2.5f; }), "0.5:99.5");
  g_assert_true (min == -2.5 && max == -2.5);
}

void test_wrong ()
{
  const auto format = streams (Element::f32)[2];
  for (const char *between : {"5", "99:1", "0:101", "-1:50", "a:b", "", "1:2:3", "nan:5"})
    same (refusal ("percentiles", {{"between", between}}, format),
          text ("between=%s: give two percentiles from 0 to 100, the lower one first, as 0.5:99.5", between));
  const auto zero = filled (format, [] (size_t, float) { return 0.0f; });
  same (message_of ([&] { run_task (*make_task ("percentiles"), {&zero}); }), "all slices are zero, NaN or infinite");
  const auto nan = filled (streams (Element::f32)[0], [] (size_t, float) { return NAN; });
  same (message_of ([&] { run_task (*make_task ("percentiles"), {&nan}); }), "all of its values are NaN or infinite");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/percentiles/floats", test_floats);
  g_test_add_func ("/percentiles/ends-are-exact", test_ends_are_exact);
  g_test_add_func ("/percentiles/integers", test_integers);
  g_test_add_func ("/percentiles/sparse", test_sparse);
  g_test_add_func ("/percentiles/a-single-value", test_a_single_value);
  g_test_add_func ("/percentiles/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::percentiles_test
