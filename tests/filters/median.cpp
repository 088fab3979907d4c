// SPDX-License-Identifier: LGPL-3.0-or-later
// Medians against the definition: the window's values, beyond the border the nearest one, sorted.
#include "base/half.hpp"
#include "device/opencl.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace sino::test::median_test {

namespace {

// Noise with equal values, some infinite ones, and NaN as often as `nans` of 100 are.
template <class T> void fill (Array &array, int nans)
{
  array.bytes.resize (static_cast<size_t> (array.format.bytes ()));
  uint32_t state = 12345;
  for (size_t i = 0; i < array.bytes.size () / sizeof (T); i++) {
    state = state * 1664525 + 1013904223;
    const auto noise = state >> 8;
    if constexpr (std::is_same_v<T, float>)
      array.as<T> ()[i] = static_cast<int> (noise % 100) < nans ? NAN
                          : noise % 97 == 0                     ? INFINITY
                          : noise % 89 == 0                     ? -INFINITY
                          : noise % 5 == 0                      ? static_cast<float> (noise % 7) - 3
                                                                : static_cast<float> (noise) / 1e6f - 8;
    else
      array.as<T> ()[i] = static_cast<T> (noise >> 3);
  }
}

// With NaNs left out, the lower one of two in the middle.
template <class T> T middle (std::vector<T> values)
{
  std::erase_if (values, [] (T value) { return std::isnan (static_cast<double> (value)); });
  if (values.empty ())
    return std::numeric_limits<T>::quiet_NaN ();
  std::sort (values.begin (), values.end ());
  return values[(values.size () - 1) / 2];
}

template <class T> std::vector<T> truth (const Array &in, std::array<int64_t, 3> reach)
{
  const auto &axes = in.format.axes;
  const auto at = [&] (int64_t i, int64_t j, int64_t k) {
    const auto near = [&] (int64_t n, size_t axis) { return std::clamp<int64_t> (n, 0, axes[axis].extent - 1); };
    return in.as<T> ()[(near (i, 0) * axes[1].extent + near (j, 1)) * axes[2].extent + near (k, 2)];
  };
  std::vector<T> all;
  for (int64_t i = 0; i < axes[0].extent; i++)
    for (int64_t j = 0; j < axes[1].extent; j++)
      for (int64_t k = 0; k < axes[2].extent; k++) {
        std::vector<T> window;
        for (auto a = i - reach[0]; a <= i + reach[0]; a++)
          for (auto b = j - reach[1]; b <= j + reach[1]; b++)
            for (auto c = k - reach[2]; c <= k + reach[2]; c++)
              window.push_back (at (a, b, c));
        all.push_back (middle (window));
      }
  return all;
}

// Equal bits, except that zeros may have either sign: the definition does not tell them apart.
template <class T> void check (const Array &got, const std::vector<T> &wanted)
{
  g_assert_cmpuint (got.bytes.size (), ==, wanted.size () * sizeof (T));
  for (size_t i = 0; i < wanted.size (); i++)
    if (const T is = got.as<T> ()[i];
        !std::ranges::equal (std::as_bytes (std::span (&is, 1)), std::as_bytes (std::span (&wanted[i], 1))) &&
        !(is == 0 && wanted[i] == 0))
      g_error ("value %zu is %.9g, not %.9g", i, static_cast<double> (is), static_cast<double> (wanted[i]));
}

// Streams of each kind, wider and narrower than vectors and windows.
std::vector<Format> formats (Element element)
{
  return {projections (element, {Axis::angle, 5}, {Axis::row, 11}, {Axis::column, 70}),
          projections (element, {Axis::angle, 17}, {Axis::row, 3}, {Axis::column, 5}),
          projections (element, {Axis::angle, 1}, {Axis::row, 1}, {Axis::column, 1}),
          sinograms (element, {Axis::row, 6}, {Axis::angle, 9}, {Axis::column, 33}),
          slices (element, {Axis::z, 4}, {Axis::y, 12}, {Axis::x, 41})};
}

template <class T> void check_element (Element element, int nans)
{
  for (const auto &format : formats (element))
    for (const int size : {3, 5, 7, 9, 11, 13, 15})
      for (const bool angle : {false, true}) {
        if (angle && format.kind () == Kind::slices)
          continue;
        Array in{format, {}};
        fill<T> (in, nans);
        const int64_t r = size / 2;
        const std::array<int64_t, 3> reach = !angle                                ? std::array<int64_t, 3>{0, r, r}
                                             : format.kind () == Kind::projections ? std::array<int64_t, 3>{r, 0, 0}
                                                                                   : std::array<int64_t, 3>{0, r, 0};
        const auto task =
            make_task ("median", {{"size", std::to_string (size)}, {"direction", angle ? "angle" : "frame"}});
        const auto whole = run_task (*task, {&in});
        check<T> (whole, truth<T> (in, reach));
        for (const Cut cut : {Cut{.rows = 1, .angles = 1, .threads = 1}, Cut{.rows = 4, .angles = 3},
                              Cut{.rows = 5, .angles = 4, .threads = 3}, Cut{.rows = 3, .angles = 16}})
          same_bytes (run_task (*task, {&in}, cut), whole);
        if (format.kind () == Kind::sinograms)
          for (const int lanes : {2, 8, 32})
            same_bytes (run_task (*task, {&in}, {.lanes = lanes}), whole);
      }
}

void test_floats ()
{
  check_element<float> (Element::f32, 0);
}
void test_nans ()
{
  check_element<float> (Element::f32, 20);
}
void test_mostly_nans ()
{
  check_element<float> (Element::f32, 97);
}
void test_counts ()
{
  check_element<uint16_t> (Element::u16, 0);
}
void test_bytes ()
{
  check_element<uint8_t> (Element::u8, 0);
}

// Medians of halves are the halves of medians, for values that are halves.
void test_halves ()
{
  for (const char *direction : {"frame", "angle"}) {
    Array in{formats (Element::f32)[0], {}};
    fill<float> (in, 20);
    Array halves{formats (Element::f16)[0], std::vector<std::byte> (in.bytes.size () / 2)};
    const auto n = halves.bytes.size () / sizeof (uint16_t);
    for (size_t i = 0; i < n; i++) {
      halves.as<uint16_t> ()[i] = half_from_float (in.as<float> ()[i]);
      in.as<float> ()[i] = half_to_float (halves.as<uint16_t> ()[i]);
    }
    const auto task = make_task ("median", {{"size", "5"}, {"direction", direction}});
    const auto got = run_task (*task, {&halves}), wanted = run_task (*task, {&in});
    for (size_t i = 0; i < n; i++)
      g_assert_cmpuint (got.as<uint16_t> ()[i], ==, half_from_float (wanted.as<float> ()[i]));
  }
}

struct Case {
  Element element;
  const char *size, *direction, *variant;
};

// The same bits as the native implementation, for blocks that lie on the device and are cut in any way.
void test_opencl ()
{
  if (opencl_devices ().empty ())
    return g_test_skip ("there is no OpenCL device");
  const auto &device = *opencl_devices ()[0];
  const std::vector<Case> cases{{Element::f32, "3", "frame", "select"},  {Element::f32, "9", "angle", "select"},
                                {Element::f32, "15", "frame", "bisect"}, {Element::u8, "3", "angle", "bisect"},
                                {Element::u16, "7", "frame", "select"},  {Element::f16, "5", "angle", "select"}};
  for (const Case &c : drawn (cases, 2)) // both kernels in each half
    for (const size_t kind : {0, 3, 4}) {
      const auto format = formats (c.element)[kind];
      const bool angle = c.direction == std::string_view ("angle");
      if (angle && format.kind () == Kind::slices)
        continue;
      Array in{format, {}};
      if (c.element == Element::f32)
        fill<float> (in, 20);
      else if (c.element == Element::u8)
        fill<uint8_t> (in, 0);
      else
        fill<uint16_t> (in, 0);
      const auto native = run_task (*make_task ("median", {{"size", c.size}, {"direction", c.direction}}), {&in});
      const auto task = make_task ("median", {{"size", c.size}, {"direction", c.direction}, {"variant", c.variant}});
      for (const Cut cut :
           {Cut{.rows = 4, .angles = 3, .device = &device}, Cut{.rows = 5, .angles = 1, .lanes = 4, .device = &device}})
        same_bytes (run_task (*task, {&in}, cut), native);
    }
}

void test_wrong ()
{
  const auto message = [] (const Format &format, const std::vector<std::pair<std::string, std::string>> &properties) {
    return message_of ([&] { negotiated (*make_task ("median", properties), std::vector{&format}); });
  };
  const auto all = formats (Element::f32);
  same (message (all[0], {{"size", "4"}}), "size=4 is even: give 3 or 5");
  same (message (all[4], {{"direction", "angle"}}),
        "direction=angle wants projections or sinograms, got f32 slices (z 4, y 12, x 41): use direction=frame, or put "
        "'median' before the reconstruction");
  Format other = all[0];
  other.axes.erase (other.axes.begin ());
  g_assert_true (message (other, {}).starts_with ("wants projections, sinograms or slices, got "));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/median/floats", test_floats);
  g_test_add_func ("/median/nans", test_nans);
  g_test_add_func ("/median/mostly-nans", test_mostly_nans);
  g_test_add_func ("/median/counts", test_counts);
  g_test_add_func ("/median/bytes", test_bytes);
  g_test_add_func ("/median/halves", test_halves);
  g_test_add_func ("/median/opencl", test_opencl);
  g_test_add_func ("/median/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::median_test
