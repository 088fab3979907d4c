// SPDX-License-Identifier: LGPL-3.0-or-later
// Against exact line integrals of ellipsoids, and as the transpose of cone-back-project with weights=adjoint.
#include "base/error.hpp"
#include "kernels/forward-project/joseph.hpp"
#include "tests/filters/forward-project/cases.hpp"
#include "tests/support/expect.hpp"
#include <cmath>
#include <glib.h>
#include <hwy/targets.h>
#include <random>

namespace sino::test::forward_project_test {

namespace {

// <A x, y> = <x, A^T y>. y is random with a share of A x, so that the products are not almost 0.
void test_adjoint ()
{
  for (const auto &scan : scans ())
    for (const auto &box : boxes) {
      const auto x = random_volume (box);
      const auto ax = run_task (*make_task ("forward-project", scan.words + box.whole ()), {&x}, {5, 3});
      Array y = ax;
      fill_random (y, 6);
      const double share = 1 / std::sqrt (product (ax, ax) / product (y, y));
      for (size_t i = 0; i < y.bytes.size () / sizeof (float); i++)
        y.as<float> ()[i] += static_cast<float> (share) * ax.as<float> ()[i];
      const auto aty = run_task (
          *make_task ("cone-back-project", box.whole () + box.region () + Words{{"weights", "adjoint"}}), {&y}, {3, 4});
      const double left = product (ax, y), right = product (x, aty);
      g_test_message ("%s, voxels of %s: %.9g and %.9g", scan.name, box.voxel, left, right);
      g_assert_cmpfloat (left, >, 0);
      g_assert_cmpfloat (std::abs (left - right), <, 1e-6 * left);
    }
}

// Blocks, work items and threads change no bit, in either direction.
void test_cuts ()
{
  const auto all = scans ();
  for (const auto &[scan, number] : {std::pair{0, 1}, {5, 1}, {5, 2}, {3, 2}, {7, 1}, {8, 3}}) {
    const auto &words = all[static_cast<size_t> (scan)].words;
    const auto &box = boxes[number];
    const auto x = random_volume (box);
    const auto forward = [&] (Cut cut) {
      return run_task (*make_task ("forward-project", words + box.whole ()), {&x}, cut);
    };
    const auto back = [&] (const Array &y, Cut cut) {
      return run_task (*make_task ("cone-back-project", box.whole () + box.region () + Words{{"weights", "adjoint"}}),
                       {&y}, cut);
    };
    const auto whole = forward ({}), cut = forward ({4, 3, 1});
    g_assert_cmpmem (whole.bytes.data (), whole.bytes.size (), cut.bytes.data (), cut.bytes.size ());
    const auto one = back (whole, {}), other = back (whole, {2, 3, 1});
    g_assert_cmpmem (one.bytes.data (), one.bytes.size (), other.bytes.data (), other.bytes.size ());
  }
}

// Every set of instructions against sums in float64, ray by ray; the transpose gives the same bytes as ray by ray.
void test_kernels ()
{
  using namespace sino::forward_project;
  const Volume volume{{-300.2, -31, -20}, 0.9, 700, 71, 40};
  std::vector<float> lines (700 * 71), columns (700 * 71);
  std::mt19937 random (7);
  std::normal_distribution<float> normal;
  for (size_t i = 0; i < lines.size (); i++)
    lines[i] = columns[i % 700 * 71 + i / 700] = normal (random);
  const std::vector<double> angles{0.1, 0.8, 1.6, 3, 4.1};
  for (const auto &setup :
       {ScanSetup{.source_origin = 2000,
       .origin_detector = 900,
       .pixel_width = 2.9,
       .pixel_height = 2.9,
       .column = 40,
       .row = 9,
       .yaw = 0.1,
       .pitch = 0.1,
       .roll = 0.2,
       .axis_tilt = 0.3},
        ScanSetup{.column = 50, .row = 10, .axis_tilt = 0.01}, ScanSetup{.column = 50, .row = 10, .axis_tilt = 1.2}})
    for (const auto &view : views_of (setup, angles)) {
      const auto pixels = detector_of (view, 101, volume);
      Rays rays;
      std::vector<double> wanted (101, 0);
      find_rays (volume, pixels, 8, rays);
      for (int64_t i = 0; i < rays.size (); i++)
        if (i % rays.stride < rays.line)
          for (int64_t z = 0; z < 40; z++)
            wanted[static_cast<size_t> (i % rays.stride / pixels.across)] +=
                rays.at (i).length * gathered (volume, z, lines.data (), rays.at (i)) / (pixels.across * pixels.down);
      const int64_t middle = 17;
      std::vector<float> pixels_given (101), given (lines.size ()), plain (lines.size ());
      for (auto &pixel : pixels_given)
        pixel = normal (random);
      for (int64_t i = 0; i < rays.size (); i++)
        if (i % rays.stride < rays.line)
          spread_ray (volume, middle, rays.at (i),
                      1.0 / (pixels.across * pixels.down) * rays.at (i).length *
                          static_cast<double> (pixels_given[static_cast<size_t> (i % rays.stride / pixels.across)]),
                      plain.data ());
      const std::vector<Filled> filled (static_cast<size_t> (std::max (volume.lines, volume.columns)), {0, INT32_MAX});
      const auto supported = hwy::SupportedTargets ();
      for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
        hwy::SetSupportedTargetsForTest (supported & ~(target - 1));
        std::vector<float> got (101, 0);
        for (int64_t z = 0; z < 40; z++)
          add_slice (volume, z, {lines.data (), columns.data (), filled.data (), filled.data ()}, pixels, rays,
                     got.data ());
        std::ranges::fill (given, 0.0F);
        spread_row (volume, middle, pixels_given.data (), pixels, rays, given.data ());
        g_assert_cmpmem (given.data (), given.size () * sizeof (float), plain.data (), plain.size () * sizeof (float));
        double error = 0, size = 0;
        for (size_t u = 0; u < got.size (); u++) {
          error += std::pow (static_cast<double> (got[u]) - wanted[u], 2);
          size += std::pow (wanted[u], 2);
        }
        g_assert_cmpfloat (size, >, 0);
        g_assert_cmpfloat (std::sqrt (error / size), <, 1e-5);
      }
      hwy::SetSupportedTargetsForTest (0);
    }
}

// A ball whose values fall off smoothly, so that voxels hold it well: 1 - r^2, with the integral 4/3 (1 - d^2)^(3/2) at
// distance d of its middle, both in radii.
void test_line_integrals ()
{
  const double radius = 20, voxel = 0.8;
  const Vector middle{3, -5, 4};
  const int64_t n = 72;
  Array x{slices (Element::f32, {Axis::z, n}, {Axis::y, n}, {Axis::x, n}), {}};
  x.format.geometry = std::make_shared<const Geometry> ();
  x.bytes.resize (static_cast<size_t> (x.format.bytes ()));
  for (int64_t i = 0; i < n * n * n; i++) {
    const auto place = [&] (int64_t at) { return voxel * (static_cast<double> (at) + 0.5 - 0.5 * n); };
    const auto from = Vector{place (i % n), place (i / n % n), place (i / n / n)} - middle;
    x.as<float> ()[i] = static_cast<float> (std::max (0.0, 1 - dot (from, from) / (radius * radius)));
  }
  for (const auto &part :
       {cone, cone + tilts, cone + tilts + lamino + helix, parallel, parallel + tilts + lamino, parallel + steep}) {
    const Words scan{{"width", "70"}, {"height", "60"}, {"projections", "9"}, {"angles", "3:330"}, {"axis", "33"}};
    auto words = scan + part + Words{{"voxel-size", "0.8"}};
    for (auto &[name, value] : words)
      value = name == "middle-row" ? "28.5" : value;
    const auto got = run_task (*make_task ("forward-project", words), {&x});
    double error = 0, size = 0, most = 0;
    for (int64_t i = 0; i < 9 * 60 * 70; i++) {
      const View view = got.format.geometry->views.empty ()
                            ? views_of ({.pixel_width = 1.1, .pixel_height = 1.1, .column = 33, .row = 30},
                                        std::span (&got.format.geometry->angles[static_cast<size_t> (i / 4200)], 1))[0]
                            : got.format.geometry->views[static_cast<size_t> (i / 4200)];
      const auto pixel = view.corner + (static_cast<double> (i % 70) + 0.5) * view.column +
                         (static_cast<double> (i / 70 % 60) + 0.5) * view.row;
      const auto way = view.parallel ? view.source : pixel - view.source;
      const double d = length (cross (middle - pixel, way)) / length (way) / radius;
      const double wanted = d < 1 ? 4.0 / 3 * radius * std::pow (1 - d * d, 1.5) : 0;
      const double off = static_cast<double> (got.as<float> ()[i]) - wanted;
      error += off * off;
      size += wanted * wanted;
      most = std::max (most, std::abs (off));
    }
    g_test_message ("relative %.2e, at most %.2e", std::sqrt (error / size), most / (4.0 / 3 * radius));
    g_assert_cmpfloat (size, >, 0);
    g_assert_cmpfloat (std::sqrt (error / size), <, 0.005);
    g_assert_cmpfloat (most, <, 0.01 * 4.0 / 3 * radius);
  }
}

// Of an upright cone, rows at the edge see few slices.
void test_demand ()
{
  const auto x = random_volume (boxes[0]);
  const Format *format = &x.format;
  const auto task = make_task ("forward-project", detector + cone + Words{{"voxel-size", "0.9"}});
  task->negotiate ({&format, 1});
  // Row 0 to 2 of 1.3 lie 10.7 to 8.1 above the middle ray, at the volume between 81 and 99 of 135 of that: slices 0
  // to 3.
  const auto some = task->demand (0, x.format, {0, 2});
  g_assert_cmpint (some.begin, ==, 0);
  g_assert_cmpint (some.end, <=, 5);
  g_assert_cmpint (some.end, >=, 3);
  g_assert_true (task->demand (0, x.format, {0, 18}) == (Rows{0, 16}));
}

void test_errors ()
{
  const auto message = [&] (const Box &box, const Words &words) {
    const auto x = random_volume (box);
    return message_of ([&] { run_task (*make_task ("forward-project", words), {&x}); });
  };
  same (message (boxes[0], detector + cone + Words{{"voxel-size", "20"}}),
        "the source moves through the volume: give a smaller voxel-size or a larger source-origin");
  same (message (boxes[1], detector), "the slices begin at x 2: set size= to the voxels of the whole volume");
  same (message (boxes[1], detector + Words{{"size", "19"}, {"slices", "16"}}),
        "size=19 is less than the slices' 20 voxels along y");
  same (message (boxes[0], {{"angles", "0"}}), "angles must be start:stop in degrees, such as 0:180, not '0'");
  Array y{projections (Element::f32, {Axis::angle, 2}, {Axis::row, 2}, {Axis::column, 2}), {}};
  fill_random (y, 1);
  same (message_of ([&] { run_task (*make_task ("forward-project"), {&y}); }),
        "wants slices, got f32 projections (angle 2, row 2, column 2)");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/forward-project/adjoint", test_adjoint);
  g_test_add_func ("/forward-project/cuts", test_cuts);
  g_test_add_func ("/forward-project/kernels", test_kernels);
  g_test_add_func ("/forward-project/line-integrals", test_line_integrals);
  g_test_add_func ("/forward-project/demand", test_demand);
  g_test_add_func ("/forward-project/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::forward_project_test
