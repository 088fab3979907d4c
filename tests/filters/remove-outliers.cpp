// SPDX-License-Identifier: LGPL-3.0-or-later
// Outliers against the definition: the window's values, beyond the border the nearest one, sorted.
#include "device/opencl.hpp"
#include "tests/filters/values/values.hpp"
#include "tests/support/draw.hpp"

namespace sino::test::remove_outliers_test {

namespace {

double median_around (const Array &in, int64_t i, int64_t j, int64_t k, std::array<int64_t, 3> reach)
{
  std::vector<double> window;
  for (auto a = i - reach[0]; a <= i + reach[0]; a++)
    for (auto b = j - reach[1]; b <= j + reach[1]; b++)
      for (auto c = k - reach[2]; c <= k + reach[2]; c++)
        if (const auto value = near_value (in, a, b, c); !std::isnan (value))
          window.push_back (value);
  if (window.empty ())
    return NAN;
  std::sort (window.begin (), window.end ());
  return window[(window.size () - 1) / 2];
}

// All numbers are multiples of 1/8, so that differences are exact in float32, and ties are none.
void check (const Array &in, int size, bool angle, const std::string &sign)
{
  constexpr double threshold = 20.06;
  const int64_t r = size / 2;
  const auto reach = !angle                                   ? std::array<int64_t, 3>{0, r, r}
                     : in.format.kind () == Kind::projections ? std::array<int64_t, 3>{r, 0, 0}
                                                              : std::array<int64_t, 3>{0, r, 0};
  std::map<std::string, int64_t> counters;
  const auto out = result_of ("remove-outliers",
                              {{"threshold", text ("%g", threshold)},
                               {"size", std::to_string (size)},
                               {"direction", angle ? "angle" : "frame"},
                               {"sign", sign}},
                              in, &counters);
  g_assert_true (out.format.element == in.format.element);
  g_assert_cmpstr (out.format.changed_by.c_str (), ==, "remove-outliers");
  int64_t replaced = 0;
  each_place (in, [&] (size_t place, int64_t i, int64_t j, int64_t k) {
    const auto value = value_at (in, place), median = median_around (in, i, j, k, reach), above = value - median;
    const bool outlier = (sign == "bright" ? above : sign == "dark" ? -above : std::abs (above)) > threshold;
    replaced += outlier;
    const auto right = outlier ? median : value, is = value_at (out, place);
    if (!(is == right) && !(std::isnan (is) && std::isnan (right)))
      g_error ("value %zu, %.9g, is %.9g, not %.9g", place, value, is, right);
  });
  g_assert_cmpint (counters["replaced"], ==, replaced);
  g_assert_cmpint (replaced, >, 0);
  g_assert_cmpuint (static_cast<size_t> (replaced), <, size_of (in) / 4);
}

void check_all (Element element, bool nans)
{
  for (const auto &format : streams (element)) {
    const auto in = filled (format, [&] (size_t i, float noise) {
      const auto value = std::floor (80 * noise) / 8 + 100;
      if (nans && i % 11 == 0)
        return i % 3 == 0 ? INFINITY : NAN;
      return i % 29 == 0 ? value + 60 : i % 37 == 0 ? value - 60 : value;
    });
    for (const int size : {3, 5, 9})
      for (const char *sign : {"bright", "dark", "both"})
        for (const bool angle : {false, true})
          if (!(angle && format.kind () == Kind::slices) && !(nans && sign[0] == 'd' && angle))
            check (in, size, angle, sign);
  }
}

void test_elements ()
{
  for (const auto element : {Element::f32, Element::f16, Element::u16, Element::u8})
    check_all (element, false);
}

void test_no_numbers ()
{
  check_all (Element::f32, true);
}

// What does not stick out keeps its bits.
void test_leaves_alone ()
{
  const auto in = filled (streams (Element::f32)[0], [] (size_t, float noise) { return noise; });
  same_bytes (result_of ("remove-outliers", {{"threshold", "1"}, {"sign", "both"}}, in), in);
}

// The bits and the counts of the native implementation, cut in any way.
void test_opencl ()
{
  if (opencl_devices ().empty ())
    return g_test_skip ("there is no OpenCL device");
  struct Case {
    Element element;
    const char *size, *direction, *sign, *variant;
  };
  const std::vector<Case> cases{
      {Element::f32, "3", "frame", "both", "select"},  {Element::f16, "5", "angle", "bright", "bisect"},
      {Element::u16, "9", "frame", "dark", "bisect"},  {Element::u8, "5", "frame", "bright", "select"},
      {Element::f32, "15", "angle", "dark", "bisect"}, {Element::f16, "3", "frame", "both", "select"}};
  for (const auto &c : drawn (cases, 2))
    for (const auto &format : streams (c.element)) {
      const bool floats = c.element == Element::f32 || c.element == Element::f16;
      if (c.direction[0] == 'a' && format.kind () == Kind::slices)
        continue;
      const auto in = filled (format, [&] (size_t i, float noise) {
        if (floats && i % 11 == 0)
          return i % 3 == 0 ? INFINITY : NAN;
        return std::floor (80 * noise) / 8 + static_cast<float> (i % 29 == 0 ? 160 : i % 37 == 0 ? 0 : 100);
      });
      const auto with = [&] (const char *variant, const Cut &cut, std::map<std::string, int64_t> &counted) {
        return run_task (*make_task ("remove-outliers", {{"threshold", "20.06"},
                                                         {"size", c.size},
                                                         {"direction", c.direction},
                                                         {"sign", c.sign},
                                                         {"variant", variant}}),
                         {&in}, cut, 1, &counted);
      };
      std::map<std::string, int64_t> native_count;
      const auto native = with ("native", {}, native_count);
      g_assert_cmpint (native_count["replaced"], >, 0);
      const auto *device = opencl_devices ()[0].get ();
      for (const Cut cut :
           {Cut{.rows = 4, .angles = 3, .device = device}, Cut{.rows = 5, .angles = 1, .lanes = 4, .device = device}}) {
        std::map<std::string, int64_t> counted;
        same_bytes (with (c.variant, cut, counted), native);
        g_assert_cmpint (counted["replaced"], ==, native_count["replaced"]);
      }
    }
}

void test_wrong ()
{
  const auto all = streams (Element::f32);
  same (refusal ("remove-outliers", {}, all[0]), "threshold= is missing: give the least difference of an outlier from "
                                                 "the values around it, in the unit of the values");
  same (refusal ("remove-outliers", {{"threshold", "1"}, {"size", "4"}}, all[0]), "size=4 is even: give 3 or 5");
  same (refusal ("remove-outliers", {{"threshold", "1"}, {"direction", "angle"}}, all[2]),
        "direction=angle wants projections or sinograms, got f32 slices (z 4, y 12, x 41): use direction=frame, or put "
        "'remove-outliers' before the reconstruction");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/remove-outliers/elements", test_elements);
  g_test_add_func ("/remove-outliers/no-numbers", test_no_numbers);
  g_test_add_func ("/remove-outliers/leaves-alone", test_leaves_alone);
  g_test_add_func ("/remove-outliers/opencl", test_opencl);
  g_test_add_func ("/remove-outliers/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::remove_outliers_test
