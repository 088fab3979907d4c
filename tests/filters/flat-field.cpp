// SPDX-License-Identifier: LGPL-3.0-or-later
// The truth is the formula in double.
#include "base/error.hpp"
#include "tests/filters/flat-field/frames.hpp"
#include <algorithm>
#include <limits>

namespace sino::test::flat_field_test {

namespace {

void test_formula ()
{
  const auto darks = std::make_shared<Stack> (Element::f32, 3, dark_of);
  for (const auto element : {Element::u8, Element::u16, Element::f16, Element::f32})
    for (const auto flat_element : {Element::u8, Element::u16, Element::f16, Element::f32})
      for (const bool sinogram : {false, true}) {
        const auto in = scan (element, sinogram, data_of, darks, std::make_shared<Stack> (flat_element, 4, flat_of));
        const auto out = run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}, {4, 2, 2}, 4);
        check_near (out, absorption);
        g_assert_cmpstr (out.format.changed_by.c_str (), ==, "flat-field");
        g_assert_false (out.format.companions.any ());
        const auto bare = run_task (*make_task ("flat-field", {{"absorption", "false"}}), {&in, nullptr, nullptr});
        check_near (bare, [] (int64_t a, int64_t r, int64_t c) {
          const double dark = mean (dark_of, 3, r, c);
          return (data_of (a, r, c) - dark) / (mean (flat_of, 4, r, c) - dark);
        });
      }
}

void test_without_darks ()
{
  const auto in = scan (Element::u16, false, data_of, nullptr, std::make_shared<Stack> (Element::u16, 1, flat_of));
  check_near (run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}),
              [] (int64_t a, int64_t r, int64_t c) { return -std::log (data_of (a, r, c) / flat_of (0, r, c)); });
}

void test_median ()
{
  for (const int64_t frames : {5, 6}) {
    const Value noisy = [] (int64_t f, int64_t r, int64_t c) {
      const bool struck = f == 3 && (r + c) % 9 == 0; // some pixels of one frame
      return struck ? 250. : static_cast<double> (150 + (f * 37 + r * 11 + c * 5) % 61);
    };
    const auto in = scan (Element::u16, false, data_of, nullptr, std::make_shared<Stack> (Element::u16, frames, noisy));
    check_near (run_task (*make_task ("flat-field", {{"reduce", "median"}}), {&in, nullptr, nullptr}, {3, 2, 2}),
                [&] (int64_t a, int64_t r, int64_t c) {
                  std::vector<double> values;
                  for (int64_t f = 0; f < frames; f++)
                    values.push_back (noisy (f, r, c));
                  std::sort (values.begin (), values.end ());
                  const auto n = values.size ();
                  return -std::log (2 * data_of (a, r, c) / (values[(n - 1) / 2] + values[n / 2]));
                });
  }
}

void test_interpolates_in_time ()
{
  const auto flats = std::make_shared<Stack> (Element::u16, 5, [] (int64_t f, int64_t r, int64_t c) {
    return f < 2 ? flat_of (f, r, c) : f < 4 ? flat_of (f, r, c) - 60 : flat_of (f, r, c) + 30;
  });
  flats->positions = {-0.5, -0.5, 3.5, 3.5, 5};
  const auto in = scan (Element::u16, false, data_of, nullptr, flats);
  const auto at = [] (double angle, int64_t r, int64_t c) {
    const double first = (flat_of (0, r, c) + flat_of (1, r, c)) / 2;
    const double second = (flat_of (2, r, c) + flat_of (3, r, c)) / 2 - 60, third = flat_of (4, r, c) + 30;
    if (angle >= 5)
      return third;
    return angle > 3.5 ? second + (third - second) * (angle - 3.5) / 1.5 : first + (second - first) * (angle + 0.5) / 4;
  };
  for (const auto &cut : {Cut{}, Cut{3, 1, 2}})
    check_near (run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}, cut),
                [&] (int64_t a, int64_t r, int64_t c) {
                  return -std::log (data_of (a, r, c) / at (static_cast<double> (a), r, c));
                });
  check_near (run_task (*make_task ("flat-field", {{"interpolate", "false"}}), {&in, nullptr, nullptr}),
              [] (int64_t a, int64_t r, int64_t c) {
                return -std::log (data_of (a, r, c) / (mean (flat_of, 5, r, c) + (2 * -60 + 30) / 5.));
              });
}

void test_edges_override_companions ()
{
  const auto wrong = std::make_shared<Stack> (Element::u16, 1, [] (int64_t, int64_t, int64_t) { return 1000; });
  for (const auto *reduce : {"mean", "median"})
    for (const bool sinogram : {false, true}) {
      const auto in = scan (Element::u16, sinogram, data_of, wrong, wrong);
      auto darks = scan (Element::u8, false, dark_of, nullptr, nullptr);
      auto flats = scan (Element::f32, false, flat_of, nullptr, nullptr);
      const auto first = [] (Array &array, int64_t frames) {
        array.format.dim (Axis::angle).extent = frames;
        array.bytes.resize (static_cast<size_t> (array.format.bytes ()));
      };
      first (darks, 3);
      first (flats, 1);
      // dark_of rises by 2 per frame: its mean and its median of 3 are the same
      check_near (run_task (*make_task ("flat-field", {{"reduce", reduce}}), {&in, &darks, &flats}, {4, 2, 2}, 8),
                  [] (int64_t a, int64_t r, int64_t c) {
                    const double dark = mean (dark_of, 3, r, c);
                    return -std::log ((data_of (a, r, c) - dark) / (flat_of (0, r, c) - dark));
                  });
    }
}

// The logarithm over all of its range against double.
void test_logarithm ()
{
  const auto flats = std::make_shared<Stack> (Element::f32, 1, [] (int64_t, int64_t, int64_t) { return 1; });
  const Value data = [] (int64_t a, int64_t r, int64_t c) {
    const auto i = static_cast<double> ((a * rows + r) * columns + c) / static_cast<double> (angles * rows * columns);
    return static_cast<double> (static_cast<float> (std::exp (-11 + 13 * i)));
  };
  const auto in = scan (Element::f32, false, data, nullptr, flats);
  check_near (run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}),
              [&] (int64_t a, int64_t r, int64_t c) { return -std::log (data (a, r, c)); });
}

void test_bits_do_not_depend_on_the_cut ()
{
  const auto darks = std::make_shared<Stack> (Element::u16, 3, dark_of);
  const auto flats = std::make_shared<Stack> (Element::u16, 4, flat_of);
  flats->positions = {-0.5, -0.5, 6.5, 6.5};
  for (const bool sinogram : {false, true}) {
    const auto in = scan (Element::u16, sinogram, data_of, darks, flats);
    const auto whole = run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}, {0, 0, 1});
    for (const Cut cut : {Cut{0, 1, 2}, Cut{5, 3, 2}, Cut{1, 0, 1}})
      for (const int lanes : {1, 2, 8, 32}) {
        const auto out = run_task (*make_task ("flat-field"), {&in, nullptr, nullptr}, cut, lanes);
        g_assert_cmpmem (out.bytes.data (), out.bytes.size (), whole.bytes.data (), whole.bytes.size ());
      }
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/flat-field/formula", test_formula);
  g_test_add_func ("/flat-field/without-darks", test_without_darks);
  g_test_add_func ("/flat-field/median", test_median);
  g_test_add_func ("/flat-field/interpolates", test_interpolates_in_time);
  g_test_add_func ("/flat-field/edges", test_edges_override_companions);
  g_test_add_func ("/flat-field/logarithm", test_logarithm);
  g_test_add_func ("/flat-field/cut", test_bits_do_not_depend_on_the_cut);
  return g_test_run ();
}

} // namespace sino::test::flat_field_test
