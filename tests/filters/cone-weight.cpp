// SPDX-License-Identifier: LGPL-3.0-or-later
// Cosines against the rays, and shares against what they are for: those of the measurements of a ray add up to 1.
#include "base/error.hpp"
#include "device/opencl.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <cmath>
#include <glib.h>

namespace sino::test::cone_weight_test {

namespace {

constexpr double source_origin = 100, origin_detector = 60;

// Projections of ones.
Array ones (double first, double last, int64_t angles, int64_t rows, int64_t columns, double axis)
{
  Array in{projections (Element::f32, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, columns}), {}};
  auto geometry = std::make_shared<Geometry> ();
  for (int64_t i = 0; i < angles; i++)
    geometry->angles.push_back ((first + (last - first) * static_cast<double> (i) / static_cast<double> (angles)) *
                                G_PI / 180);
  geometry->views = views_of ({.source_origin = source_origin,
                               .origin_detector = origin_detector,
                               .column = axis,
                               .row = 0.5 * static_cast<double> (rows)},
                              geometry->angles);
  in.format.geometry = std::move (geometry);
  in.bytes.resize (static_cast<size_t> (in.format.bytes ()));
  std::fill_n (in.as<float> (), angles * rows * columns, 1.0F);
  return in;
}

Array weighted (const Array &in, Cut cut = {}, const char *offset = "auto")
{
  return run_task (*make_task ("cone-weight", {{"offset-detector", offset}}), {&in}, cut);
}

constexpr double distance = source_origin + origin_detector;

void test_cosines ()
{
  const auto in = ones (10, 370, 8, 5, 9, 4);
  for (const Cut cut : {Cut{}, Cut{2, 3, 1}}) {
    const auto out = weighted (in, cut, "no");
    for (int64_t a = 0; a < 8; a++)
      for (int64_t r = 0; r < 5; r++)
        for (int64_t c = 0; c < 9; c++) {
          const double u = static_cast<double> (c) + 0.5 - 4, v = static_cast<double> (r) + 0.5 - 2.5;
          const double wanted = 0.5 * distance / std::sqrt (distance * distance + u * u + v * v);
          g_assert_cmpfloat (std::abs (static_cast<double> (out.as<float> ()[(a * 5 + r) * 9 + c]) - wanted), <, 1e-6);
        }
  }
}

// The ray at angle b and column u runs also, the other way, at b + 180 degrees + 2 fan and column -u.
void check_pairs (bool falling)
{
  constexpr int64_t columns = 41, angles = 2300;
  constexpr double range = 230;
  const auto in = falling ? ones (range, 0, angles, 1, columns, 20.5) : ones (0, range, angles, 1, columns, 20.5);
  const auto out = weighted (in);
  const auto share = [&] (double degrees, int64_t c) {
    const double u = static_cast<double> (c) - 20;
    const double place = (falling ? range - degrees : degrees) / range * angles;
    const auto first = static_cast<int64_t> (std::floor (place));
    const auto at = [&] (int64_t i) {
      return i < 0 || i >= angles ? 0.0 : static_cast<double> (out.as<float> ()[i * columns + c]);
    };
    const double part = place - std::floor (place);
    return ((1 - part) * at (first) + part * at (first + 1)) * std::sqrt (distance * distance + u * u) / distance;
  };
  int twice = 0;
  for (int64_t c = 0; c < columns; c++)
    for (double b = 1; b < range - 1; b += 0.7) {
      const double fan = std::atan2 (static_cast<double> (c) - 20, distance) * 180 / G_PI;
      double sum = share (b, c);
      for (const double other : {b + 180 + 2 * fan, b - 180 + 2 * fan})
        if (other >= 0 && other < range) {
          sum += share (other, columns - 1 - c);
          twice++;
        }
      if (!(std::abs (sum - 1) < 2e-3))
        g_error ("the shares of the ray at %g degrees, column %d add up to %g", b, static_cast<int> (c), sum);
    }
  g_assert_cmpint (twice, >, 1000);
}

void test_short_scan ()
{
  check_pairs (false);
  check_pairs (true);
}

// In two turns, with columns -6 to 35 of the axis, and the other way round: what is seen on one side only counts whole,
// the measurements of other rays add up to 1, and nothing jumps at the edge.
void check_shorter (double axis, bool mirrored)
{
  constexpr int64_t columns = 41;
  const auto out = weighted (ones (0, 720, 48, 1, columns, axis));
  const auto all = out.format.extent (Axis::column), before = mirrored ? 0 : all - columns;
  g_assert_cmpint (all, >=, 2 * 35); // rows reach as far on both sides
  g_assert_cmpint (all, <=, 2 * 35 + 2);
  const auto share = [&] (double u) {
    const auto c = static_cast<int64_t> (std::lround (axis + (mirrored ? -u : u) - 0.5)) + before;
    if (c < 0 || c >= all)
      return 0.0;
    return 2 * static_cast<double> (out.as<float> ()[c]) * std::sqrt (distance * distance + u * u) / distance;
  };
  for (double u = -33.5; u < 34; u++)
    if (!(std::abs (share (u) + share (-u) - 1) < 1e-6))
      g_error ("shares at %g columns from the axis: %g and %g", u, share (u), share (-u));
  g_assert_cmpfloat (share (-5.5), <, 0.02);
  g_assert_cmpfloat (share (-0.5), >, 0.3);
}

void test_shorter ()
{
  check_shorter (6, false);
  check_shorter (35, true);
  // Hardly off the middle: both count alike, unless asked for.
  const auto near = ones (0, 360, 48, 1, 41, 21);
  const auto edge = [&] (const char *offset) {
    return static_cast<double> (weighted (near, {}, offset).as<float> ()[0]);
  };
  g_assert_cmpfloat (edge ("auto"), ==, edge ("no"));
  g_assert_cmpfloat (edge ("yes"), !=, edge ("no"));
}

void test_helix ()
{
  auto in = ones (0, 1000, 100, 8, 9, 4.5);
  auto geometry = std::make_shared<Geometry> (*in.format.geometry);
  geometry->views = views_of (
      {.source_origin = source_origin, .origin_detector = origin_detector, .column = 4.5, .row = 4, .lift = 4},
      geometry->angles);
  in.format.geometry = std::move (geometry);
  g_assert_cmpfloat (std::abs (static_cast<double> (weighted (in).as<float> ()[4 * 9 + 4]) - 0.5), <, 1e-4);
}

void test_lean ()
{
  auto in = ones (0, 360, 36, 8, 100, 50);
  const auto note = [&] (double roll) {
    auto geometry = std::make_shared<Geometry> (*in.format.geometry);
    geometry->views = views_of ({.source_origin = 100, .origin_detector = 60, .column = 50, .row = 4, .roll = roll},
                                geometry->angles);
    in.format.geometry = std::move (geometry);
    const auto task = make_task ("cone-weight");
    const Format *format = &in.format;
    task->negotiate ({&format, 1});
    return task->warnings ();
  };
  g_assert_true (note (0.005).empty ());
  g_assert_cmpint (std::ssize (note (0.1)), ==, 1);
  g_assert_true (note (0.1)[0].starts_with ("the detector's rows are tilted by up to 5.73 degrees"));
}

// Projections of noise, from a detector that is rolled by some radians.
Array rolled (double last, int64_t angles, int64_t rows, int64_t columns, double axis, double roll)
{
  auto in = ones (0, last, angles, rows, columns, axis);
  auto geometry = std::make_shared<Geometry> (*in.format.geometry);
  geometry->views = views_of ({.source_origin = source_origin,
                               .origin_detector = origin_detector,
                               .column = axis,
                               .row = 0.5 * static_cast<double> (rows),
                               .roll = roll},
                              geometry->angles);
  in.format.geometry = std::move (geometry);
  uint32_t state = 7;
  for (int64_t i = 0; i < angles * rows * columns; i++) {
    state = state * 1664525 + 1013904223;
    in.as<float> ()[i] = static_cast<float> (state >> 8) * 0x1p-23f - 1;
  }
  return in;
}

// As the native kernel does, for one table of shares, one for each projection, and one for each row; with columns of
// zeros on either side, and several tables in a block.
void test_opencl ()
{
  if (opencl_devices ().empty ())
    return g_test_skip ("there is no OpenCL device");
  const auto *device = opencl_devices ()[0].get ();
  for (const auto &in :
       {rolled (360, 36, 5, 67, 33, 0), rolled (230, 90, 7, 41, 20.5, 0), rolled (720, 48, 5, 41, 6, 0),
        rolled (360, 36, 3, 41, 35, 0.05), rolled (260, 250, 25, 210, 105, 0.03)}) {
    const auto native = weighted (in);
    const auto at = [&] (Cut cut) {
      cut.device = device;
      return run_task (*make_task ("cone-weight", {{"variant", "opencl"}}), {&in}, cut);
    };
    const auto whole = at ({});
    g_assert_cmpuint (whole.bytes.size (), ==, native.bytes.size ());
    for (size_t i = 0; i < native.bytes.size () / sizeof (float); i++)
      g_assert_cmpfloat (std::abs (double{whole.as<float> ()[i]} - double{native.as<float> ()[i]}), <=, 2e-7);
    same_bytes (at ({.rows = 2, .angles = 7}), whole);
  }
}

void test_errors ()
{
  const auto message = [] (double last) {
    const auto in = ones (0, last, 360, 1, 41, 20.5);
    return message_of ([&] { weighted (in); });
  };
  same (message (170), "the projections cover 170 degrees: this wants whole turns, or a short scan from 194.3 (180 "
                       "plus the fan angle) to 360");
  same (message (430), "(no error)");
  same (message (720), "(no error)");
  same (message (-360), "(no error)");
  const auto off = ones (0, 360, 36, 1, 41, 50);
  same (message_of ([&] { weighted (off); }),
        "the axis of rotation is not on the detector in all projections, so that no ray through the axis is measured");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/cone-weight/cosines", test_cosines);
  g_test_add_func ("/cone-weight/short-scan", test_short_scan);
  g_test_add_func ("/cone-weight/shorter", test_shorter);
  g_test_add_func ("/cone-weight/helix", test_helix);
  g_test_add_func ("/cone-weight/lean", test_lean);
  g_test_add_func ("/cone-weight/opencl", test_opencl);
  g_test_add_func ("/cone-weight/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::cone_weight_test
