// SPDX-License-Identifier: LGPL-3.0-or-later
// Against the methods in float64, and any cut of the stream against any other.
#include "device/opencl.hpp"
#include "tests/filters/remove-stripes/truth.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/run-task.hpp"
#include <hwy/targets.h>

namespace sino::test::remove_stripes_test {

using namespace stripes;
using namespace std::string_view_literals;

namespace {

// Noise on something smooth, gains, a wide stripe, one that does not change and one that changes too much; others in
// each row.
Array scan (int64_t rows, int64_t angles, int64_t columns)
{
  Array in{sinograms (Element::f32, {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns}), {}};
  in.bytes.resize (static_cast<size_t> (in.format.bytes ()));
  uint32_t state = 5;
  const auto noise = [&] { return static_cast<float> ((state = state * 1664525 + 1013904223) >> 8) / (1 << 23) - 1; };
  for (int64_t r = 0; r < rows; r++) {
    std::vector<float> gains;
    for (int64_t c = 0; c < columns; c++)
      gains.push_back (0.02f * noise ());
    for (int64_t a = 0; a < angles; a++)
      for (int64_t c = 0; c < columns; c++) {
        const auto x = static_cast<float> (c) / static_cast<float> (columns),
                   t = static_cast<float> (a) / static_cast<float> (angles);
        const auto place = (c + 11 * r) % columns;
        auto value =
            1 + x * (1 - x) + 0.3f * std::sin (7 * x + 3 * t) + gains[static_cast<size_t> (c)] + 0.01f * noise ();
        if (place / 5 == columns / 15)
          value += 0.6f;
        else if (place == columns / 4)
          value = 0.9f;
        else if (place == columns / 2)
          value += 0.5f * noise ();
        in.as<float> ()[(r * angles + a) * columns + c] = value;
      }
  }
  return in;
}

Image columns_of (const Array &array, int64_t row)
{
  const auto angles = array.format.angles (), columns = array.format.line ();
  Image all (static_cast<size_t> (columns), Line (static_cast<size_t> (angles)));
  for (int64_t c = 0; c < columns; c++)
    for (int64_t a = 0; a < angles; a++)
      all[static_cast<size_t> (c)][static_cast<size_t> (a)] =
          static_cast<double> (array.as<float> ()[(row * angles + a) * columns + c]);
  return all;
}

std::unique_ptr<Task> remover (const std::string &method, const char *levels = "5", const char *variant = "auto")
{
  const bool bridged = method == "bridged offset";
  return make_task ("remove-stripes", {{"method", bridged ? "offset" : method},
                                       {"bridge", bridged ? "true" : "false"},
                                       {"snr", "2.5"},
                                       {"sm-size", "9"},
                                       {"la-size", "21"},
                                       {"drop-ratio", "0.2"},
                                       {"levels", levels},
                                       {"variant", variant},
                                       {"variant-parameters", variant == "opencl"sv ? "RUN=256" : ""}});
}

constexpr const char *published[] = {"offset", "bridged offset", "sorting", "large", "dead", "all"};
constexpr const char *methods[] = {"offset", "bridged offset", "sorting", "large", "dead", "all", "wavelet-fourier"};

// Values are 1 to 2, and floats.
void check_values (const char *method, int64_t angles, int64_t columns)
{
  const auto in = scan (3, angles, columns);
  const auto out = run_task (*remover (method), {&in});
  for (int64_t row = 0; row < 3; row++) {
    const auto got = columns_of (out, row), truth = wanted (method, columns_of (in, row));
    for (size_t c = 0; c < got.size (); c++)
      for (size_t a = 0; a < got[c].size (); a++)
        if (!(std::abs (got[c][a] - truth[c][a]) < 2e-6))
          g_error ("%s: angle %zu of column %zu is %.9g, not %.9g", method, a, c, got[c][a], truth[c][a]);
  }
}

void test_published ()
{
  for (const char *method : published)
    for (const auto &[angles, columns] : {std::pair<int64_t, int64_t>{67, 101}, {64, 150}, {203, 83}})
      check_values (method, angles, columns);
}

// Sorts and medians only select values, so none is rounded. Sizes are those at which native medians take another way:
// with no, one or more sorted runs of 16 columns, with and without a rest; numbers of angles, those that fill the runs
// of the sort and those that do not. 0.2 s.
void test_selection ()
{
  struct Case {
    int size;
    int64_t angles, columns;
  };
  for (const auto &[size, angles, columns] : {Case{15, 67, 50},
                                              {17, 67, 50},
                                              {31, 64, 70},
                                              {33, 67, 50},
                                              {47, 10, 101},
                                              {51, 65, 150},
                                              {61, 30, 20},
                                              {159, 9, 200},
                                              {161, 9, 200},
                                              {3, 16, 9},
                                              {3, 127, 9},
                                              {3, 129, 5},
                                              {3, 600, 5},
                                              {3, 2100, 3}}) {
    const auto in = scan (1, angles, columns);
    const auto task = make_task ("remove-stripes", {{"method", "sorting"}, {"sm-size", std::to_string (size)}});
    const auto got = columns_of (run_task (*task, {&in}), 0), truth = sorting (columns_of (in, 0), size);
    for (size_t c = 0; c < got.size (); c++)
      for (size_t a = 0; a < got[c].size (); a++)
        if (got[c][a] != truth[c][a])
          g_error ("size %d: angle %zu of column %zu is %.9g, not %.9g", size, a, c, got[c][a], truth[c][a]);
  }
}

// The lengths of vectors decide how many columns are sorted, and rows summed, at once. 0.5 s.
void test_instruction_sets ()
{
  const auto supported = hwy::SupportedTargets ();
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    g_test_message ("%s", hwy::TargetName (target));
    hwy::SetSupportedTargetsForTest (supported & ~(target - 1));
    test_selection ();
    for (const char *method : published)
      check_values (method, 67, 101);
  }
  hwy::SetSupportedTargetsForTest (0);
}

// Of six or seven angles each.
void test_means_of_angles ()
{
  for (const char *method : {"offset", "bridged offset"})
    check_values (method, 787, 101);
}

// Values that are no numbers say nothing of the others of their column.
void test_offset_with_gaps ()
{
  const auto whole = scan (1, 400, 60);
  auto gaps = scan (1, 400, 60);
  for (int64_t a = 0; a < 400; a += 9)
    gaps.as<float> ()[a * 60 + 40] = a % 2 ? NAN : INFINITY;
  const auto wanted = run_task (*remover ("offset"), {&whole}), got = run_task (*remover ("offset"), {&gaps});
  for (int64_t a = 0; a < 400; a++)
    for (int64_t c = 0; c < 60; c++)
      if (const auto i = a * 60 + c; std::isfinite (gaps.as<float> ()[i]))
        g_assert_cmpfloat (std::abs (got.as<float> ()[i] - wanted.as<float> ()[i]), <, 1e-3); // of gains of 2e-2
      else
        g_assert_false (std::isfinite (got.as<float> ()[i]));
}

void test_any_cut ()
{
  const auto in = scan (11, 131, 77);
  for (const char *method : methods) {
    const auto whole = run_task (*remover (method), {&in});
    for (const Cut cut : {Cut{.rows = 1, .threads = 1}, Cut{.rows = 4, .threads = 3}, Cut{.lanes = 4},
                          Cut{.rows = 5, .lanes = 8}, Cut{.threads = 1, .lanes = 16}, Cut{.threads = 5, .lanes = 32}}) {
      const auto other = run_task (*remover (method), {&in}, cut);
      g_assert_cmpmem (other.bytes.data (), other.bytes.size (), whole.bytes.data (), whole.bytes.size ());
    }
  }
}

// Less than a window, nothing to see, no numbers: what is left is as good as before.
void test_degenerate ()
{
  for (const char *method : methods) {
    for (const auto &[angles, columns] : {std::pair<int64_t, int64_t>{1, 1}, {1, 5}, {5, 1}, {3, 2}, {12, 3}}) {
      const auto in = scan (2, angles, columns);
      const auto out = run_task (*remover (method, "1"), {&in});
      for (int64_t i = 0; i < 2 * angles * columns; i++)
        g_assert_true (std::isfinite (out.as<float> ()[i]));
    }
    Array flat = scan (1, 40, 50);
    std::fill_n (flat.as<float> (), 40 * 50, 0.0f);
    const auto same = run_task (*remover (method), {&flat});
    g_assert_cmpmem (same.bytes.data (), same.bytes.size (), flat.bytes.data (), flat.bytes.size ());

    Array broken = scan (1, 90, 60);
    for (int64_t a = 0; a < 90; a++)
      broken.as<float> ()[a * 60 + 31] = NAN;
    const auto mended = run_task (*remover (method), {&broken});
    for (int64_t i = 0; i < 90 * 60; i++)
      if (i % 60 != 31)
        g_assert_true (std::isfinite (mended.as<float> ()[i]));
  }
}

// Relative to values of 1 to 2; NaN only where the native kernels have it, too.
void check_near (const Array &got, const Array &native, float most)
{
  for (size_t i = 0; i < native.bytes.size () / sizeof (float); i++)
    if (const float is = got.as<float> ()[i], should = native.as<float> ()[i];
        !(std::abs (is - should) <= most) && !(is == should) && !(std::isnan (is) && std::isnan (should)))
      g_error ("value %zu is %.9g, not %.9g", i, static_cast<double> (is), static_cast<double> (should));
}

// Values that the kernels only sort and select have the native bits; others differ by the rounding of sums.
void test_opencl ()
{
  if (opencl_devices ().empty ())
    return g_test_skip ("there is no OpenCL device");
  const auto &device = *opencl_devices ()[0];
  const std::vector<const char *> all (std::begin (methods), std::end (methods));
  for (const char *method : drawn (all, 2)) {
    for (const auto &[angles, columns] : {std::pair<int64_t, int64_t>{1, 1}, {1, 5}, {5, 1}, {3, 2}, {12, 3}}) {
      const auto in = scan (2, angles, columns);
      check_near (run_task (*remover (method, "1", "opencl"), {&in}, {.device = &device}),
                  run_task (*remover (method, "1"), {&in}), 4e-7f);
    }
    for (const auto &[angles, columns] : {std::pair<int64_t, int64_t>{131, 77}, {601, 83}}) {
      auto in = scan (11, angles, columns);
      for (int64_t a = 0; a < angles; a += 9)
        in.as<float> ()[(2 * angles + a) * columns + 40] = a % 2 ? NAN : INFINITY;
      const auto native = run_task (*remover (method), {&in});
      const auto there = remover (method, "5", "opencl");
      const auto whole = run_task (*there, {&in}, {.device = &device});
      check_near (whole, native, method == "sorting"sv ? 0 : 4e-7f);
      for (const Cut cut : {Cut{.rows = 1, .device = &device}, Cut{.rows = 4, .lanes = 4, .device = &device},
                            Cut{.rows = 5, .lanes = 8, .device = &device}, Cut{.lanes = 32, .device = &device}})
        same_bytes (run_task (*there, {&in}, cut), whole);
    }
  }
}

void test_errors ()
{
  const auto in = scan (1, 4, 8);
  const auto said = [] (const Format &format, const std::vector<std::pair<std::string, std::string>> &words = {}) {
    return message_of ([&] {
      const Format *formats[] = {&format};
      negotiated (*make_task ("remove-stripes", words), formats);
    });
  };
  const Dim row{Axis::row, 1}, angle{Axis::angle, 4}, column{Axis::column, 8};
  same (said (in.format, {{"sm-size", "20"}}), "sm-size=20 is even: give 19 or 21");
  same (said (in.format, {{"la-size", "50"}}), "la-size=50 is even: give 49 or 51");
  same (said (projections (Element::f32, angle, row, column)),
        "wants sinograms, got f32 projections (angle 4, row 1, column 8): put 'interleave' before it");
  same (
      said (sinograms (Element::u16, row, angle, column)),
      "wants f32 values, got u16 sinograms (row 1, angle 4, column 8): put 'flat-field' before it, which turns counts "
      "into attenuation");
  same (said (sinograms (Element::f32, row, {Axis::angle, 65537}, column)),
        "takes at most 65536 angles, got f32 sinograms (row 1, angle 65537, column 8)");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/remove-stripes/published", test_published);
  g_test_add_func ("/remove-stripes/selection", test_selection);
  g_test_add_func ("/remove-stripes/instruction-sets", test_instruction_sets);
  g_test_add_func ("/remove-stripes/means-of-angles", test_means_of_angles);
  g_test_add_func ("/remove-stripes/offset-with-gaps", test_offset_with_gaps);
  g_test_add_func ("/remove-stripes/any-cut", test_any_cut);
  g_test_add_func ("/remove-stripes/degenerate", test_degenerate);
  g_test_add_func ("/remove-stripes/opencl", test_opencl);
  g_test_add_func ("/remove-stripes/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::remove_stripes_test
