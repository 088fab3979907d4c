// SPDX-License-Identifier: LGPL-3.0-or-later
// Against the definition in float64: each voxel is projected by the view's rays, each value weighed with its bilinear
// hat, over all of the detector.
#include "base/error.hpp"
#include "base/text.hpp"
#include "tests/filters/cone-back-project/projections.hpp"
#include "tests/filters/cone-back-project/truth.hpp"
#include "tests/support/expect.hpp"
#include <cmath>

namespace sino::test::cone_back_project_test {

namespace {

constexpr int64_t angles = 12, rows = 21, columns = 27;

// Off-centre both ways.
ScanSetup upright ()
{
  return {
      .source_origin = 90, .origin_detector = 40, .pixel_width = 1.1, .pixel_height = 0.9, .column = 11.4, .row = 12.3};
}

ScanSetup tilted ()
{
  auto setup = upright ();
  setup.yaw = 0.1, setup.pitch = -0.15, setup.roll = 0.2, setup.axis_tilt = 0.35, setup.lift = 3;
  for (int64_t i = 0; i < angles; i++)
    setup.shifts.push_back ({0.3 * std::cos (static_cast<double> (i)), -0.1, 0.05 * static_cast<double> (i)});
  return setup;
}

Array random_projections (const ScanSetup &setup)
{
  return test::random_projections (setup, turned (angles), rows, columns);
}

struct Grid {
  int64_t size, slices;
  double voxel;
};

double hat (double x)
{
  return std::max (0.0, 1 - std::abs (x));
}

double truth (const Array &in, const Grid &grid, int64_t i, int64_t j, int64_t k)
{
  const auto place = [&] (int64_t n, int64_t all) {
    return grid.voxel * (static_cast<double> (n) + 0.5 - 0.5 * static_cast<double> (all));
  };
  const Vector voxel{place (i, grid.size), place (j, grid.size), place (k, grid.slices)};
  double sum = 0;
  for (int64_t a = 0; a < angles; a++) {
    const auto &view = in.format.geometry->views[static_cast<size_t> (a)];
    const auto spot = project (matrix_of (view), voxel);
    double value = 0;
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < columns; c++)
        value += hat (spot.column - 0.5 - static_cast<double> (c)) * hat (spot.row - 0.5 - static_cast<double> (r)) *
                 static_cast<double> (in.as<float> ()[(a * rows + r) * columns + c]);
    sum += 2 * G_PI / angles * cone_weight (view, voxel) * value;
  }
  return sum;
}

std::vector<std::pair<std::string, std::string>> words (const Grid &grid)
{
  return {{"size", std::to_string (grid.size)},
          {"slices", std::to_string (grid.slices)},
          {"voxel-size", std::to_string (grid.voxel)}};
}

void check (const ScanSetup &setup, const Grid &grid, Cut cut)
{
  const auto in = random_projections (setup);
  const auto out = run_task (*make_task ("cone-back-project", words (grid)), {&in}, cut);
  g_assert_cmpint (out.format.extent (Axis::z), ==, grid.slices);
  double error = 0, size = 0;
  for (int64_t k = 0; k < grid.slices; k++)
    for (int64_t j = 0; j < grid.size; j++)
      for (int64_t i = 0; i < grid.size; i++) {
        const double wanted = truth (in, grid, i, j, k);
        const double got = static_cast<double> (out.as<float> ()[(k * grid.size + j) * grid.size + i]);
        error += (got - wanted) * (got - wanted);
        size += wanted * wanted;
      }
  g_assert_cmpfloat (size, >, 0);
  g_assert_cmpfloat (std::sqrt (error / size), <, 1e-5);
}

void test_upright ()
{
  check (upright (), {19, 17, 0.8}, {});
  check (upright (), {8, 1, 0.5}, {0, 5, 1});
}

void test_tilted ()
{
  check (tilted (), {19, 17, 0.8}, {5, 4});
}

void test_parallel ()
{
  auto setup = tilted ();
  setup.source_origin = 0;
  check (setup, {15, 9, 1.2}, {4, 0, 1});
}

// A region is a part of the volume, and work items and blocks change no bit.
void test_region ()
{
  const auto setup = tilted ();
  const auto in = random_projections (setup);
  const Grid grid{19, 17, 0.8};
  const auto whole = run_task (*make_task ("cone-back-project", words (grid)), {&in});
  const auto cut = run_task (*make_task ("cone-back-project", words (grid)), {&in}, {3, 5});
  g_assert_cmpmem (whole.bytes.data (), whole.bytes.size (), cut.bytes.data (), cut.bytes.size ());
  auto part_words = words (grid);
  for (const auto &[name, value] : {std::pair{"roi-x", "4"},
                                    {"roi-y", "7"},
                                    {"roi-z", "11"},
                                    {"roi-width", "9"},
                                    {"roi-height", "5"},
                                    {"roi-depth", "3"}})
    part_words.emplace_back (name, value);
  const auto part = run_task (*make_task ("cone-back-project", part_words), {&in});
  for (int64_t k = 0; k < 3; k++)
    for (int64_t j = 0; j < 5; j++)
      for (int64_t i = 0; i < 9; i++) {
        const auto a = static_cast<double> (part.as<float> ()[(k * 5 + j) * 9 + i]),
                   b = static_cast<double> (whole.as<float> ()[((k + 11) * 19 + j + 7) * 19 + i + 4]);
        g_assert_cmpfloat (std::abs (a - b), <=, 1e-5 * (1 + std::abs (b)));
      }
}

// What rows are asked for is enough, and at the edge not much more.
void test_demand ()
{
  const auto setup = upright ();
  const auto in = random_projections (setup);
  const Format *format = &in.format;
  const auto task = make_task ("cone-back-project", words ({10, 12, 0.8}));
  task->negotiate ({&format, 1});
  const auto rows_of = task->demand (0, in.format, {0, 1});
  // The first slice is 4.4 above the middle, on the detector between 5.4 and 7.6 rows above row 12.3.
  g_assert_cmpint (rows_of.begin, >=, 2);
  g_assert_cmpint (rows_of.begin, <=, 4);
  g_assert_cmpint (rows_of.end, <=, 10);
  g_assert_cmpint (task->demand (0, in.format, {0, 12}).end, <=, 22);
}

// What the fast kernels are not for is said, and nothing else is blamed for it.
void test_not_fast ()
{
  const auto warnings = [] (const ScanSetup &setup, const char *weights) {
    const auto in = random_projections (setup);
    const Format *format = &in.format;
    const auto task = make_task ("cone-back-project", {{"accuracy", "fast"}, {"weights", weights}, {"size", "10"}});
    task->negotiate ({&format, 1});
    return join (task->warnings (), "\n");
  };
  const auto *unfit = "accuracy=fast is for detectors whose columns are parallel to z, up to 8 rows per voxel, and fdk "
                      "weights of whole scans: the CPU computes this scan exactly";
  same (warnings (upright (), "adjoint"), unfit);
  same (warnings (tilted (), "fdk"), unfit);
  same (warnings (upright (), "fdk"),
        "accuracy=fast is for many projections of a narrow cone: in this scan neighbouring projections differ too "
        "much, and most voxels are computed exactly");
}

void test_errors ()
{
  const auto in = random_projections (upright ());
  const auto message = [&] (const std::vector<std::pair<std::string, std::string>> &properties) {
    return message_of ([&] { run_task (*make_task ("cone-back-project", properties), {&in}); });
  };
  same (message ({{"voxel-size", "20"}}),
        "the source moves through the volume: give a smaller size, slices or voxel-size");
  same (message ({{"size", "10"}, {"roi-x", "10"}}), "roi-x=10 with roi-width=0 exceeds the volume's 10 voxels");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/cone-back-project/upright", test_upright);
  g_test_add_func ("/cone-back-project/tilted", test_tilted);
  g_test_add_func ("/cone-back-project/parallel", test_parallel);
  g_test_add_func ("/cone-back-project/region", test_region);
  g_test_add_func ("/cone-back-project/demand", test_demand);
  g_test_add_func ("/cone-back-project/not-fast", test_not_fast);
  g_test_add_func ("/cone-back-project/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::cone_back_project_test
