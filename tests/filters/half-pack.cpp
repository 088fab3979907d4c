// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "base/half.hpp"
#include "tests/filters/half-pack/truth.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>

namespace sino::test::half_pack_test {

namespace {

Array wrap (const std::vector<float> &values)
{
  const auto n = static_cast<int64_t> (values.size ());
  Array array{projections (Element::f32, {Axis::angle, 1}, {Axis::row, 1}, {Axis::column, n}), {}};
  array.bytes.resize (values.size () * sizeof (float));
  std::copy (values.begin (), values.end (), array.as<float> ());
  return array;
}

void check (const std::vector<float> &values)
{
  const auto in = wrap (values);
  std::map<std::string, int64_t> counters;
  const auto out = run_task (*make_task ("half-pack"), {&in}, {}, 1, &counters);
  int64_t overflows = 0;
  for (size_t i = 0; i < values.size (); i++) {
    const auto is = out.as<uint16_t> ()[i];
    if (std::isnan (values[i])) {
      g_assert_cmphex (is & 0x7fff, ==, 0x7e00);
      continue;
    }
    const auto should = nearest_half (values[i]);
    if (is != should)
      g_error ("%.9g became %#x, not %#x", static_cast<double> (values[i]), is, should);
    overflows += std::isfinite (values[i]) && (should & 0x7fff) == 0x7c00;
  }
  g_assert_cmpint (counters["overflows"], ==, overflows);
}

void test_all_halves ()
{
  check (all_halves ());
}

void test_random_bits ()
{
  check (random_bits (300001)); // no multiple of any vector
  check (about_halves (300001));
}

// One value at a time.
void test_plain_conversion ()
{
  for (uint32_t bits = 0; bits < 65536; bits++) {
    const auto value = half_to_float (static_cast<uint16_t> (bits));
    const auto should = static_cast<float> (decode (bits));
    g_assert_true (std::isnan (should) ? std::isnan (value) : value == should);
    g_assert_true (std::signbit (value) == (bits >= 0x8000));
  }
  for (const auto &values : {all_halves (), random_bits (300001), about_halves (300001)})
    for (const float value : values)
      if (const auto is = half_from_float (value); std::isnan (value))
        g_assert_cmphex (is & 0x7fff, ==, 0x7e00);
      else
        g_assert_cmphex (is, ==, nearest_half (value));
}

void test_packs_lanes_and_says_what_it_changed ()
{
  Array in{sinograms (Element::f32, {Axis::row, 5}, {Axis::angle, 3}, {Axis::column, 7}), {}};
  in.bytes.resize (5 * 3 * 7 * 4);
  for (int i = 0; i < 105; i++)
    in.as<float> ()[i] = static_cast<float> (i) / 7;
  const auto task = make_task ("half-pack");
  const auto out = run_task (*task, {&in}, {3, 0, 2}, 4);
  g_assert_true (out.format.element == Element::f16);
  g_assert_cmpstr (out.format.changed_by.c_str (), ==, "half-pack");
  for (int i = 0; i < 105; i++)
    g_assert_cmphex (out.as<uint16_t> ()[i], ==, nearest_half (in.as<float> ()[i]));
}

void test_refuses_other_elements ()
{
  const auto format = projections (Element::u16, {Axis::angle, 1}, {Axis::row, 1}, {Axis::column, 4});
  const Format *formats[] = {&format};
  try {
    negotiated (*make_task ("half-pack"), formats);
    g_assert_not_reached ();
  } catch (const Error &e) {
    g_assert_cmpstr (e.what (), ==,
                     "wants f32 values, got u16 projections (angle 1, row 1, column 4): put a filter with f32 output "
                     "before it, such as 'flat-field'");
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/half-pack/plain-conversion", test_plain_conversion);
  g_test_add_func ("/half-pack/all-halves", test_all_halves);
  g_test_add_func ("/half-pack/random", test_random_bits);
  g_test_add_func ("/half-pack/lanes", test_packs_lanes_and_says_what_it_changed);
  g_test_add_func ("/half-pack/refuses", test_refuses_other_elements);
  return g_test_run ();
}

} // namespace sino::test::half_pack_test
