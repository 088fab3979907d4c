// SPDX-License-Identifier: LGPL-3.0-or-later
// The properties precision and interpolation of the node, on filtered projections of a head with noise, against the
// definition in double. The bounds are what the page of the node promises.
#include "base/half.hpp"
#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/half.hpp"
#include "kernels/back-project/native/stack.hpp"
#include "tests/filters/back-project/head-scan.hpp"
#include "tests/support/expect.hpp"
#include <cstring>

namespace sino::test::back_project_precision_test {

namespace {

constexpr const char *interpolations[] = {"linear", "nearest", "oversample"};
constexpr double single_bound = 5e-7;
struct Bound {
  const char *precision;
  double error;
} constexpr bounds[] = {
    {"single", single_bound}, {"half-storage", 1e-4}, {"half", 5e-4}, {"int16", 1e-4}, {"auto", 1e-4}};

// Odd sizes, and a stack that leaves lanes without a slice whatever their number.
constexpr int64_t rows = 19, width = 201;
const HeadScan &head ()
{
  static const HeadScan scan (rows, 300, width);
  return scan;
}

const std::vector<double> &truth (const std::string &interpolation = "linear")
{
  static std::map<std::string, std::vector<double>> known;
  auto &slices = known[interpolation];
  if (slices.empty ())
    slices = slices_of (head (), interpolation);
  return slices;
}

double worst_error (const Array &out, const NoiseScan &scan, const std::vector<double> &slices, bool mask = false)
{
  double worst = 0;
  for (int64_t z = 0; z < scan.rows; z++)
    worst = std::max (worst, error_of_slice (out, z, scan, slices, mask));
  return worst;
}

bool same_slice (const Array &a, const Array &b, int64_t z)
{
  const auto n = static_cast<size_t> (a.format.line () * size_of (Element::f32));
  return std::memcmp (a.bytes.data () + static_cast<size_t> (z) * n, b.bytes.data () + static_cast<size_t> (z) * n,
                      n) == 0;
}

// Every slice by itself: none may hide behind the others.
void test_stack ()
{
  const auto scan = to_array (head ());
  for (const std::string interpolation : interpolations)
    for (const auto &[precision, bound] : bounds) {
      const auto out = reconstruct (scan, {{"precision", precision}, {"interpolation", interpolation}});
      const double worst = worst_error (out, head (), truth (interpolation));
      g_test_message ("%s, %s: %.2g", precision, interpolation.c_str (), worst);
      g_assert_cmpfloat (worst, <, bound);
    }
}

void test_one_slice ()
{
  const HeadScan scan (1, 300, width);
  const auto array = to_array (scan);
  for (const std::string interpolation : interpolations) {
    const auto single = reconstruct (array, {{"interpolation", interpolation}});
    const double error = worst_error (single, scan, slices_of (scan, interpolation));
    g_test_message ("%s: %.2g", interpolation.c_str (), error);
    g_assert_cmpfloat (error, <, 2e-6);
    for (const auto &[precision, bound] : bounds)
      g_assert_true (reconstruct (array, {{"interpolation", interpolation}, {"precision", precision}}).bytes ==
                     single.bytes);
  }
}

// An axis for each projection, in the middle and beyond the detector's end, where but few rays see the corner that is
// asked for; a part of the slice, with and without the mask. Where the axis is wrong the slice is as noise, whose
// halves err by up to 2^-11 of a value, 0.37 of that in the root mean square.
void test_geometry ()
{
  HeadScan scan (5, 180, 67);
  for (const double axis : {33.5, 75.3}) {
    for (size_t k = 0; k < scan.axis.size (); k++)
      scan.axis[k] = axis + 2 * std::sin (static_cast<double> (k));
    auto array = to_array (scan);
    auto geometry = *array.format.geometry;
    geometry.axis = scan.axis;
    array.format.geometry = std::make_shared<Geometry> (geometry);
    for (const std::string interpolation : interpolations) {
      const auto slices = slices_of (scan, interpolation);
      for (const auto &[precision, bound] : bounds) {
        const Properties how = {{"interpolation", interpolation}, {"precision", precision}};
        const double whole = worst_error (reconstruct (array, how), scan, slices);
        auto part = how;
        part.insert (part.end (), {{"roi-x", "3"}, {"roi-y", "11"}, {"roi-width", "41"}, {"roi-height", "53"}});
        const double in_part = worst_error (reconstruct (array, part), scan, slices);
        part.emplace_back ("mask", "true");
        const double masked = worst_error (reconstruct (array, part), scan, slices, true);
        g_test_message ("axis %g, %s, %s: %.2g, part %.2g, masked %.2g", axis, precision, interpolation.c_str (), whole,
                        in_part, masked);
        g_assert_cmpfloat (std::max ({whole, in_part, masked}), <, g_str_has_prefix (precision, "half") ? 2e-4 : bound);
      }
    }
  }
}

// Half floats that come in are the truth here. They need not be held again, so half-storage rounds nothing.
void test_half_sinograms ()
{
  const auto floats = to_array (head ());
  const auto packed = run_task (*make_task ("half-pack"), {&floats}, {});
  HeadScan scan = head ();
  for (size_t i = 0; i < scan.values.size (); i++)
    scan.values[i] = half_to_float (packed.as<uint16_t> ()[i]);
  const auto slices = slices_of (scan, "linear");
  for (const auto &[precision, bound] : bounds) {
    const double error = worst_error (reconstruct (packed, {{"precision", precision}}), scan, slices);
    g_test_message ("%s: %.2g", precision, error);
    g_assert_cmpfloat (error, <, std::string (precision) == "half-storage" ? single_bound : bound);
  }
}

// All projections of a round object are the same; so must not be their rounding errors, which would add up.
void test_round_object ()
{
  NoiseScan scan (2, 1000, 64);
  for (size_t i = 0; i < scan.values.size (); i++) // a ball, and another that is a little smaller
    scan.values[i] = static_cast<float> (std::sqrt (
        std::max (0.0, (i < 64 * 1000 ? 900.1 : 800.1) - std::pow (static_cast<double> (i % 64) - 31.5, 2))));
  const auto array = to_array (scan);
  const double error = worst_error (reconstruct (array, {{"precision", "int16"}}), scan, slices_of (scan, "linear"));
  g_test_message ("%.2g", error);
  g_assert_cmpfloat (error, <, 1e-6); // without care 3e-6
}

// One hot bin leaves few integers for the rest of its slice.
void test_auto ()
{
  HeadScan scan = head ();
  constexpr int64_t hot = 7;
  scan.value_at (hot, 33, 100) = 1000 * *std::max_element (scan.values.begin (), scan.values.end ());
  const auto array = to_array (scan);
  const auto slices = slices_of (scan, "linear");
  g_assert_cmpfloat (worst_error (reconstruct (array, {{"precision", "int16"}}), scan, slices), >, 1e-3);

  const auto count = [] (const Array &in, const Properties &properties, Array &out) {
    std::map<std::string, int64_t> counters;
    out = run_task (*make_task ("back-project", properties), {&in}, {}, 1, &counters);
    return counters["single-precision-slices"];
  };
  const auto single = reconstruct (array);
  Array cool, out;
  g_assert_cmpint (count (to_array (head ()), {{"precision", "auto"}}, cool), ==, 0);
  g_assert_true (cool.bytes == reconstruct (to_array (head ()), {{"precision", "int16"}}).bytes);
  g_assert_cmpint (count (array, {{"precision", "auto"}}, out), ==, 1);
  g_assert_cmpfloat (worst_error (out, scan, slices), <, 1e-4);
  for (int64_t z = 0; z < rows; z++)
    g_assert_true (same_slice (out, z == hot ? single : cool, z));

  // Nothing gets faster, so nothing is rounded, and nothing is computed twice.
  for (const char *interpolation : {"nearest", "oversample"}) {
    g_assert_cmpint (count (array, {{"precision", "auto"}, {"interpolation", interpolation}}, out), ==, 0);
    g_assert_true (out.bytes == reconstruct (array, {{"interpolation", interpolation}}).bytes);
  }
  const NoiseScan one (1, 30, 40);
  g_assert_cmpint (count (to_array (one), {{"precision", "auto"}}, out), ==, 0);

  NoiseScan blank (3, 30, 40);
  std::fill (blank.values.begin (), blank.values.end (), 0);
  g_assert_cmpint (count (to_array (blank), {{"precision", "auto"}}, out), ==, 0);
  for (int64_t i = 0; i < 3 * 40 * 40; i++)
    g_assert_cmpfloat (out.as<float> ()[i], ==, 0);
}

// What is not a number spoils the pixels that see it; with integers, which cannot say so, its whole slice. The other
// pixels keep their precision, also when their values are so small that they must be scaled to be held as halves.
void test_not_finite ()
{
  HeadScan scan = head ();
  for (auto &v : scan.values)
    v *= 0x1p-14;
  const auto clean = to_array (scan);
  constexpr int64_t with_nan = 3, with_infinity = 5;
  scan.value_at (with_nan, 20, 77) = NAN;
  scan.value_at (with_infinity, 250, 150) = INFINITY;
  const auto array = to_array (scan);
  const auto single = reconstruct (array);
  const auto *right = single.as<float> ();
  for (const auto &[precision, bound] : bounds) {
    const bool integers = std::string (precision) == "int16", automatic = std::string (precision) == "auto";
    const auto out = reconstruct (array, {{"precision", precision}});
    const auto without = reconstruct (clean, {{"precision", precision}});
    for (int64_t z = 0; z < rows; z++) {
      if (z != with_nan && z != with_infinity) {
        g_assert_true (same_slice (out, without, z));
        continue;
      }
      int64_t spoilt = 0;
      RelativeError error;
      for (int64_t i = z * width * width; i < (z + 1) * width * width; i++) {
        const float got = out.as<float> ()[i];
        const bool seen = !std::isfinite (right[i]);
        g_assert_true (std::isfinite (got) == !(seen || integers));
        if (automatic && !seen)
          g_assert_cmpfloat (got, ==, right[i]);
        if (!seen && !integers)
          error.add (got, right[i]);
        spoilt += seen;
      }
      g_assert_cmpint (spoilt, >, width / 2);
      g_assert_cmpint (spoilt, <, 3 * width);
      if (!integers && std::string (precision) != "single" && !automatic)
        g_assert_cmpfloat (error.value (), <, bound);
    }
  }
}

// A hot bin in one of the slices, so that auto has something to decide.
void test_cut ()
{
  HeadScan scan (19, 60, 90);
  scan.value_at (4, 30, 50) = 1000;
  const auto array = to_array (scan);
  for (const std::string interpolation : interpolations)
    for (const auto &[precision, bound] : bounds) {
      const Properties how = {{"interpolation", interpolation}, {"precision", precision}};
      const auto whole = reconstruct (array, how);
      for (const Cut &cut : {Cut{16, 0, 1}, Cut{5, 0, 3}, Cut{1, 0, 2}})
        g_assert_true (reconstruct (array, how, cut).bytes == whole.bytes);
    }
}

// What `plan` says of the node with so many lanes.
std::string remark (const Properties &properties, int lanes, Element element = Element::f32)
{
  auto array = to_array (NoiseScan (64, 3, 8));
  array.format.element = element;
  const auto task = make_task ("back-project", properties);
  const Format *formats[] = {&array.format};
  task->negotiate (formats);
  return task->remark (*native_device (), lanes);
}

void test_remark ()
{
  using namespace sino::back_project;
  const auto kernel = [] (int lanes) { return text ("native kernel, %s, %d lanes, ", instruction_set (), lanes); };
  same (remark ({}, 16), kernel (16) + "single precision");
  same (remark ({}, 8, Element::f16), kernel (8) + "single precision");
  same (remark ({{"precision", "half-storage"}}, 4), kernel (4) + "halves added in single precision");
  same (remark ({{"precision", "int16"}}, 16), kernel (16) + "16-bit integers");
  const std::string again = ", single precision for slices whose error would be more than 1e-4";
  same (remark ({{"precision", "auto"}}, 16), kernel (16) + "16-bit integers" + again);
  const auto alone = text ("native kernel, %s, 1 lane, single precision", instruction_set ());
  same (remark ({}, 1), alone);
  same (remark ({{"precision", "auto"}}, 1), alone + ": always for a single slice");
  same (remark ({{"interpolation", "oversample"}}, 2), kernel (2) + "single precision, 4 points per column");
  same (remark ({{"interpolation", "oversample"}, {"precision", "int16"}}, 32),
        kernel (32) + "16-bit integers, 4 points per column");
  const std::string halves = "halves added in ", none = "this CPU has no half arithmetic";
  const bool half = has_half_arithmetic ();
  same (remark ({{"precision", "half"}}, 32),
        kernel (32) + halves + (half ? "half precision (AVX512-FP16)" : "single precision: " + none));
  same (remark ({{"precision", "half"}}, 16),
        kernel (16) + halves + "single precision: " + (half ? "half arithmetic wants 32 lanes" : none));
  same (remark ({{"precision", "half"}, {"interpolation", "nearest"}}, 32),
        kernel (32) + halves + "single precision: " + (half ? "half arithmetic wants interpolation=linear" : none));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/back-project/precision/stack", test_stack);
  g_test_add_func ("/back-project/precision/one-slice", test_one_slice);
  g_test_add_func ("/back-project/precision/geometry", test_geometry);
  g_test_add_func ("/back-project/precision/half-sinograms", test_half_sinograms);
  g_test_add_func ("/back-project/precision/round-object", test_round_object);
  g_test_add_func ("/back-project/precision/auto", test_auto);
  g_test_add_func ("/back-project/precision/not-finite", test_not_finite);
  g_test_add_func ("/back-project/precision/cut", test_cut);
  g_test_add_func ("/back-project/precision/remark", test_remark);
  return g_test_run ();
}

} // namespace sino::test::back_project_precision_test
