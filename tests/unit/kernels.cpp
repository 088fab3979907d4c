// SPDX-License-Identifier: LGPL-3.0-or-later
// The kernels with every instruction set of this CPU, against their definitions in double or in bits: the tests of the
// filters see the best set only.
#include "base/half.hpp"
#include "kernels/flat-field/correct.hpp"
#include "kernels/half-pack/half-pack.hpp"
#include "kernels/interleave/interleave.hpp"
#include "kernels/ramp-filter/spectrum.hpp"
#include "tests/support/instruction-sets.hpp"
#include <bit>
#include <cmath>
#include <cstring>
#include <hwy/aligned_allocator.h>

namespace sino::test::kernels_test {

using namespace flat_field;
using namespace half_pack;
using namespace interleave;
using namespace ramp_filter;

namespace {

uint32_t state = 5;
uint32_t noise ()
{
  state = state * 1664525u + 1013904223u;
  return state ^ state >> 15;
}

void test_interleave ()
{
  constexpr int64_t columns = 149; // two cache lines of bytes and more
  for_each_set ([] {
    for (const size_t size : {1, 2, 4})
      for (const int lanes : {1, 2, 4, 8, 16, 32}) {
        const auto line = static_cast<size_t> (columns) * size;
        std::vector<std::byte> rows (static_cast<size_t> (lanes) * line);
        const auto out = hwy::AllocateAligned<std::byte> (rows.size ());
        for (auto &b : rows)
          b = static_cast<std::byte> (noise ());
        std::vector<const std::byte *> pointers;
        for (int lane = 0; lane < lanes; lane++)
          pointers.push_back (&rows[static_cast<size_t> (lane) * line]);
        for (const bool far : {false, true}) {
          std::fill_n (out.get (), rows.size (), std::byte{0});
          interleave::interleave (size, lanes, pointers.data (), columns, out.get (), far);
          for (size_t c = 0; c < columns; c++)
            for (size_t lane = 0; lane < pointers.size (); lane++)
              g_assert_cmpmem (&out[(c * pointers.size () + lane) * size], size, pointers[lane] + c * size, size);
        }
        if (size != 4)
          continue;
        constexpr int64_t stride = (columns + 15) / 16 * 16; // so that rows begin with cache lines
        for (const bool far : {false, true}) {
          const auto apart = hwy::AllocateAligned<float> (static_cast<size_t> (lanes * stride));
          std::vector<float *> back;
          for (int lane = 0; lane < lanes; lane++)
            back.push_back (&apart[static_cast<size_t> (lane * stride)]);
          take_apart (lanes, reinterpret_cast<const float *> (out.get ()), columns, back.data (), far);
          for (size_t lane = 0; lane < back.size (); lane++)
            g_assert_cmpmem (back[lane], line, pointers[lane], line);
        }
      }
  });
}

// The same bits from all of them; that these are right is seen in the test of the filter.
void test_half_pack ()
{
  std::vector<float> values (100003);
  for (auto &v : values)
    v = std::bit_cast<float> (noise ());
  std::vector<uint16_t> first;
  int64_t first_overflows = 0;
  for_each_set ([&] {
    std::vector<uint16_t> halves (values.size ());
    const auto overflows = half_pack::half_pack (values.data (), std::ssize (values), halves.data ());
    if (first.empty ()) {
      first = halves;
      first_overflows = overflows;
    }
    g_assert_cmpmem (halves.data (), halves.size () * 2, first.data (), first.size () * 2);
    g_assert_cmpint (overflows, ==, first_overflows);
  });
  g_assert_cmpint (first_overflows, >, 0);
}

// Two roundings of the quotient and four units in the last place of the logarithm.
void test_correct ()
{
  constexpr int64_t n = 1003;
  std::vector<uint8_t> u8 (n);
  std::vector<uint16_t> u16 (n), f16 (n);
  std::vector<float> f32 (n), dark (n), white (n), later (n);
  for (size_t i = 0; i < n; i++) {
    u8[i] = static_cast<uint8_t> (40 + noise () % 200);
    u16[i] = static_cast<uint16_t> (40 + noise () % 65000);
    f16[i] = static_cast<uint16_t> (0x5000 + noise () % 0x2000); // 32 and up, all of it normal numbers
    f32[i] = 40 + static_cast<float> (noise () % 10000) / 7;
    dark[i] = static_cast<float> (noise () % 100) / 10;
    white[i] = 100 + static_cast<float> (noise () % 1000);
    later[i] = 100 + static_cast<float> (noise () % 1000);
  }
  const auto check = [&] (Element element, const void *data, const std::function<double (size_t)> &value) {
    for (const bool absorption : {false, true})
      for (const float *second : {static_cast<const float *> (nullptr), static_cast<const float *> (later.data ())}) {
        std::vector<float> out (n);
        const auto low =
            correct (element, data, {dark.data (), white.data (), second, 0.375f}, absorption, n, out.data ());
        g_assert_cmpint (low, ==, 0);
        for (size_t i = 0; i < n; i++) {
          const auto w = static_cast<double> (white[i]), l = static_cast<double> (later[i]);
          const double t = (value (i) - static_cast<double> (dark[i])) / (second ? w + 0.375 * (l - w) : w);
          const double should = absorption ? -std::log (t) : t;
          g_assert_cmpfloat_with_epsilon (static_cast<double> (out[i]), should,
                                          4e-7 * std::max (1., std::fabs (should)));
        }
      }
    std::vector<float> wide (n);
    std::vector<double> sums (n, 1);
    widen (element, data, n, wide.data ());
    std::vector<uint32_t> left_out (n);
    accumulate (element, data, n, std::numeric_limits<float>::infinity (), sums.data (), left_out.data ());
    const auto limit = wide[n / 2];
    std::vector<double> below (n);
    accumulate (element, data, n, limit, below.data (), left_out.data ());
    for (size_t i = 0; i < n; i++) {
      g_assert_cmpuint (left_out[i], ==, wide[i] < limit ? 0 : 1);
      g_assert_cmpfloat (below[i], ==, wide[i] < limit ? value (i) : 0);
      left_out[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
      g_assert_cmpfloat (static_cast<double> (wide[i]), ==, value (i));
      g_assert_cmpfloat (sums[i], ==, 1 + value (i));
      g_assert_cmpuint (left_out[i], ==, 0);
    }
  };
  for_each_set ([&] {
    check (Element::u8, u8.data (), [&] (size_t i) { return u8[i]; });
    check (Element::u16, u16.data (), [&] (size_t i) { return u16[i]; });
    check (Element::f16, f16.data (), [&] (size_t i) { return half_to_float (f16[i]); });
    check (Element::f32, f32.data (), [&] (size_t i) { return static_cast<double> (f32[i]); });
  });
}

// Halves that are not normal numbers.
void test_widens_all_halves ()
{
  std::vector<uint16_t> halves (65536);
  for (size_t i = 0; i < halves.size (); i++)
    halves[i] = static_cast<uint16_t> (i);
  for_each_set ([&] {
    std::vector<float> wide (halves.size ());
    widen (Element::f16, halves.data (), std::ssize (halves), wide.data ());
    for (size_t i = 0; i < halves.size (); i++) {
      const int exponent = (halves[i] >> 10) & 31, mantissa = halves[i] & 1023;
      const auto magnitude = std::fabs (static_cast<double> (wide[i]));
      if (exponent == 31 && mantissa)
        g_assert_true (std::isnan (wide[i]));
      else if (exponent == 31)
        g_assert_true (std::isinf (wide[i]));
      else
        g_assert_cmpfloat (magnitude, ==,
                           std::ldexp (exponent ? 1024 + mantissa : mantissa, (exponent ? exponent : 1) - 25));
      g_assert_cmpint (std::signbit (wide[i]), ==, halves[i] >> 15);
    }
  });
}

// One rounding of each product and of the sum, of values up to 1.
void test_spectrum ()
{
  constexpr size_t m = 40;
  std::vector<double> response (m + 1);
  for (auto &h : response)
    h = static_cast<double> (noise () % 1000) / 1000;
  const auto filter = spectrum_filter (response);
  std::vector<float> from (2 * m), to (2 * m);
  for (auto &v : from)
    v = static_cast<float> (noise () % 2001) / 1000 - 1;
  for_each_set ([&] {
    apply (filter, from.data (), to.data ());
    for (size_t k = 0; k < m; k++) {
      const auto mirror = (m - k) % m;
      const double t = M_PI * static_cast<double> (k) / m;
      const double a = (response[k] + response[m - k]) / 2, b = (response[k] - response[m - k]) / 2;
      const double p = (a - b * std::sin (t)) / m, q = b * std::cos (t) / m;
      const auto part = [&] (size_t i) { return static_cast<double> (from[i]); };
      g_assert_cmpfloat_with_epsilon (static_cast<double> (to[2 * k]), p * part (2 * k) + q * part (2 * mirror + 1),
                                      2e-8);
      g_assert_cmpfloat_with_epsilon (static_cast<double> (to[2 * k + 1]), p * part (2 * k + 1) + q * part (2 * mirror),
                                      2e-8);
    }
  });
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/kernels/interleave", test_interleave);
  g_test_add_func ("/kernels/half-pack", test_half_pack);
  g_test_add_func ("/kernels/correct", test_correct);
  g_test_add_func ("/kernels/halves", test_widens_all_halves);
  g_test_add_func ("/kernels/spectrum", test_spectrum);
  return g_test_run ();
}

} // namespace sino::test::kernels_test
