// SPDX-License-Identifier: LGPL-3.0-or-later
// The truth is the definition of rounding: of the two neighbouring halves the nearer one, of equally near ones the
// even one, found by search among all 65536 halves decoded in double.
#include "alone.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <bit>
#include <cmath>

using namespace sino;
using namespace sino::test;

namespace {

double decode (uint32_t half)
{
  const int exponent = (half >> 10) & 31, mantissa = half & 1023;
  const double sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp (1024 + mantissa, exponent - 25) : std::ldexp (mantissa, -24));
}

uint16_t nearest_half (float value)
{
  const uint16_t sign = std::signbit (value) ? 0x8000 : 0;
  const double v = std::fabs (static_cast<double> (value));
  // What 0x7c00 would stand for without infinity: rounding up to it overflows.
  const auto at = [] (int half) { return half == 0x7c00 ? 65536.0 : decode (static_cast<uint32_t> (half)); };
  int low = 0, high = 0x7c00; // at (low) <= v < at (high)
  if (v >= at (high))
    return sign | 0x7c00;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (at (middle) <= v ? low : high) = middle;
  }
  const double below = v - at (low), above = at (high) - v;
  const bool up = above < below || (above == below && low % 2 == 1);
  return static_cast<uint16_t> (sign | (up ? high : low));
}

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
  const auto out = run_alone (*make_task ("half-pack"), {&in}, {}, 1, &counters);
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

// Every half, the float just below and above it, the middle between it and the next, and that one's neighbours.
void test_all_halves ()
{
  std::vector<float> values;
  for (uint32_t half = 0; half < 65536; half++) {
    const auto value = static_cast<float> (decode (half));
    values.push_back (value);
    if ((half & 0x7fff) > 0x7c00)
      continue;
    const auto next = (half & 0x7fff) == 0x7bff ? std::copysign (65536., decode (half)) : decode (half + 1);
    const auto middle = static_cast<float> ((decode (half) + next) / 2);
    for (const float v : {value, middle})
      for (const float to : {-INFINITY, INFINITY})
        values.push_back (std::nextafter (v, to));
    values.push_back (middle);
  }
  check (values);
}

void test_random_bits ()
{
  std::vector<float> values (300001); // no multiple of any vector
  uint32_t state = 7;
  for (auto &v : values) {
    state = state * 1664525u + 1013904223u;
    v = std::bit_cast<float> (state ^ state >> 15);
  }
  check (values);
  for (auto &v : values) // about the range of halves
    v = std::ldexp (1.f + std::fabs (std::fmod (v, 1.f)), static_cast<int> (std::bit_cast<uint32_t> (v) % 44) - 27);
  check (values);
}

void test_packs_lanes_and_says_what_it_changed ()
{
  Array in{sinograms (Element::f32, {Axis::row, 5}, {Axis::angle, 3}, {Axis::column, 7}), {}};
  in.bytes.resize (5 * 3 * 7 * 4);
  for (int i = 0; i < 105; i++)
    in.as<float> ()[i] = static_cast<float> (i) / 7;
  const auto task = make_task ("half-pack");
  const auto out = run_alone (*task, {&in}, {3, 0, 2}, 4);
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
    make_task ("half-pack")->negotiate (formats);
    g_assert_not_reached ();
  } catch (const Error &e) {
    g_assert_cmpstr (e.what (), ==,
                     "wants f32 values, got u16 projections (angle 1, row 1, column 4): put a filter that gives f32 "
                     "before it, such as 'flat-field'");
  }
}

} // namespace

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/half-pack/all-halves", test_all_halves);
  g_test_add_func ("/half-pack/random", test_random_bits);
  g_test_add_func ("/half-pack/lanes", test_packs_lanes_and_says_what_it_changed);
  g_test_add_func ("/half-pack/refuses", test_refuses_other_elements);
  return g_test_run ();
}
