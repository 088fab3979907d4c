// SPDX-License-Identifier: LGPL-3.0-or-later
// The fast native kernels against the definition in float64, with every instruction set of this CPU, and in parts of
// any size.
#include "device/devices.hpp"
#include "kernels/cone-back-project/native/tile.hpp"
#include "tests/filters/cone-back-project/projections.hpp"
#include "tests/filters/cone-back-project/truth.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <cmath>
#include <cstring>
#include <functional>
#include <glib.h>
#define HWY_WANT_AVX3_DL 1
#include <hwy/targets.h>
#include <random>

namespace sino::test::cone_back_project_native_test {

namespace {

struct Case {
  const char *name;
  ScanSetup setup;
  int64_t angles, rows, columns; // of the scan
  int64_t size, slices;          // of the volume
  double voxel;
  std::array<int64_t, 6> region{}; // x, y, z, width, height, depth; 0: all
  double sparse = 1;               // share of voxels that are looked at
};

const std::vector<Case> &cases ()
{
  const ScanSetup upright{
      .source_origin = 90, .origin_detector = 40, .pixel_width = 1.1, .pixel_height = 0.9, .column = 11.4, .row = 12.3};
  const auto with = [&] (auto change) {
    auto setup = upright;
    change (setup);
    return setup;
  };
  static const std::vector<Case> all{
      {"upright", upright, 12, 21, 27, 19, 17, 0.8},
      {"off-centre the other way", with ([] (auto &s) { s.column = 21.7, s.row = 3.1; }), 17, 21, 27, 19, 17, 0.8},
      {"tiles and slabs",
       with ([] (auto &s) { s.source_origin = 900, s.column = 40, s.row = 60; }),
       18,
       131,
       83,
       67,
       150,
       1.0,
       {},
       0.05},
      {"a region off the axis", upright, 35, 40, 30, 70, 140, 0.3, {41, 3, 99, 9, 35, 37}},
      {"one row", with ([] (auto &s) { s.row = 0.5; }), 12, 1, 27, 19, 5, 0.8},
      {"one slice", upright, 12, 21, 27, 19, 1, 0.8},
      {"one column", with ([] (auto &s) { s.column = 0.5; }), 12, 21, 1, 19, 17, 0.8},
      {"one voxel", upright, 5, 21, 27, 1, 1, 0.8},
      {"one column beside a tile of grouped views",
       with ([] (auto &s) { s.source_origin = 900; }),
       16,
       21,
       27,
       65,
       5,
       0.8,
       {},
       0.1},
      {"steps of 0.3", with ([] (auto &s) { s.pixel_height = 4; }), 16, 21, 27, 19, 130, 0.8, {}, 0.2},
      {"steps of 1.3 to 2", with ([] (auto &s) { s.pixel_height = 0.72; }), 16, 90, 27, 19, 65, 0.8},
      {"steps of 2 to 3", with ([] (auto &s) { s.pixel_height = 0.45; }), 16, 210, 27, 19, 130, 0.8, {}, 0.2},
      {"steps of 3 to 4", with ([] (auto &s) { s.pixel_height = 0.34; }), 16, 210, 27, 19, 130, 0.8, {}, 0.2},
      {"steps of 4.05",
       with ([] (auto &s) { s.source_origin = 0, s.pixel_height = 0.1975; }),
       16,
       420,
       27,
       19,
       110,
       0.8,
       {},
       0.2},
      {"steps of 6 to 8", with ([] (auto &s) { s.pixel_height = 0.17; }), 16, 420, 27, 19, 130, 0.8, {}, 0.2},
      {"magnified", with ([] (auto &s) { s.source_origin = 20, s.origin_detector = 80, s.pixel_height = 3; }), 16, 30,
       90, 20, 23, 0.8},
      {"mostly beside the detector", upright, 12, 9, 11, 60, 140, 0.8, {}, 0.1},
      {"parallel", with ([] (auto &s) { s.source_origin = 0; }), 13, 21, 27, 19, 17, 0.8},
      {"yawed and lifted", with ([] (auto &s) { s.yaw = 0.1, s.lift = 5; }), 37, 21, 27, 19, 17, 0.8},
  };
  return all;
}

Array random_projections (const Case &c)
{
  auto in = empty_projections (c.setup, turned (c.angles), c.rows, c.columns);
  std::mt19937 random (3);
  std::normal_distribution<float> normal;
  // As filtered projections are: neighbours are alike, but for noise, and views add up.
  for (int64_t i = 0; i < c.angles * c.rows * c.columns; i++) {
    const auto column = static_cast<float> (i % c.columns), row = static_cast<float> (i / c.columns);
    in.as<float> ()[i] =
        0.4F + std::sin (0.33F * column + 0.02F * row) * std::cos (0.21F * row) + 0.1F * normal (random);
  }
  return in;
}

// The projection between its values, with zeros around it.
double between (const Array &in, const Case &c, int64_t view, double column, double row)
{
  const double left = std::floor (column), above = std::floor (row);
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    const double u = left + i % 2, v = above + i / 2;
    if (u >= 0 && v >= 0 && u < static_cast<double> (c.columns) && v < static_cast<double> (c.rows))
      sum += (1 - std::abs (column - u)) * (1 - std::abs (row - v)) *
             static_cast<double> (
                 in.as<float> ()[(view * c.rows + static_cast<int64_t> (v)) * c.columns + static_cast<int64_t> (u)]);
  }
  return sum;
}

double truth (const Array &in, const Case &c, const std::vector<Matrix> &matrices, int64_t i, int64_t j, int64_t k)
{
  const auto place = [&] (int64_t n, int64_t all) {
    return c.voxel * (static_cast<double> (n) + 0.5 - 0.5 * static_cast<double> (all));
  };
  double sum = 0;
  for (int64_t a = 0; a < c.angles; a++) {
    const Vector voxel{place (i, c.size), place (j, c.size), place (k, c.slices)};
    const auto spot = project (matrices[static_cast<size_t> (a)], voxel);
    sum += 2 * G_PI / static_cast<double> (c.angles) *
           cone_weight (in.format.geometry->views[static_cast<size_t> (a)], voxel) *
           between (in, c, a, spot.column - 0.5, spot.row - 0.5);
  }
  return sum;
}

std::unique_ptr<Task> task_of (const Case &c, const char *precision, const char *accuracy = "exact")
{
  std::vector<std::pair<std::string, std::string>> words{{"size", std::to_string (c.size)},
                                                         {"slices", std::to_string (c.slices)},
                                                         {"voxel-size", std::to_string (c.voxel)},
                                                         {"precision", precision},
                                                         {"accuracy", accuracy}};
  const char *names[] = {"roi-x", "roi-y", "roi-z", "roi-width", "roi-height", "roi-depth"};
  for (size_t i = 0; i < 6; i++)
    words.emplace_back (names[i], std::to_string (c.region[i]));
  return make_task ("cone-back-project", words);
}

Array run (const Case &c, const char *precision, const Array &in, Cut cut = {}, const char *accuracy = "exact")
{
  auto task = task_of (c, precision, accuracy);
  auto out = run_task (*task, {&in}, cut);
  const auto remark = task->remark (*native_device (), 1);
  g_assert_nonnull (strstr (remark.c_str (), cone_back_project::instruction_set ()));
  return out;
}

double error_of (const Case &c, const Array &in, const Array &out)
{
  std::vector<Matrix> matrices;
  for (const auto &view : in.format.geometry->views)
    matrices.push_back (matrix_of (view));
  const auto depth = out.format.extent (Axis::z), height = out.format.extent (Axis::y),
             width = out.format.extent (Axis::x);
  std::mt19937 random (5);
  std::uniform_real_distribution<double> share;
  double error = 0, size = 0;
  for (int64_t k = 0; k < depth; k++)
    for (int64_t j = 0; j < height; j++)
      for (int64_t i = 0; i < width; i++) {
        if (share (random) > c.sparse)
          continue;
        const double wanted = truth (in, c, matrices, i + c.region[0], j + c.region[1], k + c.region[2]);
        const double got = static_cast<double> (out.as<float> ()[(k * height + j) * width + i]);
        error += (got - wanted) * (got - wanted);
        size += wanted * wanted;
      }
  g_assert_cmpfloat (size, >, 0);
  return std::sqrt (error / size);
}

// Instruction sets that the kernel is not built for fall back to another one and are left out.
void for_each_target (const std::function<void ()> &body)
{
  const auto supported = hwy::SupportedTargets ();
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (supported & ~(target - 1));
    if (strcmp (cone_back_project::instruction_set (), hwy::TargetName (target)) == 0)
      body ();
  }
  hwy::SetSupportedTargetsForTest (0);
}

void test_truth ()
{
  size_t number = 0;
  for (const auto &c : cases ()) {
    const auto in = random_projections (c);
    for_each_target ([&] {
      for (const auto *precision : {"single", "int16"}) {
        if (!is_drawn (number++, 5))
          continue;
        const bool single = strcmp (precision, "single") == 0;
        const double error = error_of (c, in, run (c, precision, in));
        g_test_message ("%s, %s, %s: %.1e", c.name, precision, cone_back_project::instruction_set (), error);
        g_assert_cmpfloat (error, <, single ? 1e-5 : 4e-4);
      }
    });
  }
}

// Many views of a narrow cone, more columns than a tile has and more slices than a slab.
Case narrow_cone ()
{
  ScanSetup setup{.source_origin = 2000, .origin_detector = 300, .column = 43.4, .row = 88.3};
  setup.pixel_width = setup.pixel_height = 1.15;
  return {"narrow cone", setup, 325, 180, 90, 101, 140, 0.7, {}, 0.003};
}

// Waves of four pixels and more, as a ramp filter leaves them, but no noise of single pixels.
Array smooth_projections (const Case &c)
{
  auto in = random_projections (c);
  for (int64_t i = 0; i < c.angles * c.rows * c.columns; i++) {
    const auto column = static_cast<float> (i % c.columns), row = static_cast<float> (i / c.columns % c.rows),
               view = static_cast<float> (i / c.columns / c.rows);
    in.as<float> ()[i] = 0.4F + std::sin (0.8F * column + 0.1F * view) * std::cos (0.5F * row);
  }
  return in;
}

// Neighbouring views together, against the definition in float64. Cut into parts they make the same bytes.
void test_grouped ()
{
  const auto c = narrow_cone ();
  const auto in = smooth_projections (c);
  const auto task = task_of (c, "int16", "fast");
  const Format *format = &in.format;
  task->negotiate ({&format, 1});
  const auto remark = task->remark (*native_device (), 1);
  const auto *share = strstr (remark.c_str (), "int16, ");
  g_assert_nonnull (share);
  g_assert_cmpint (std::atoi (share + strlen ("int16, ")), >, 50);
  g_assert_true (task->warnings ().empty ());
  size_t number = 0;
  for_each_target ([&] {
    for (const auto *precision : {"single", "int16"}) {
      if (!is_drawn (number++, 3))
        continue;
      const auto whole = run (c, precision, in, {}, "fast");
      const double error = error_of (c, in, whole);
      g_test_message ("%s, %s: %.1e", precision, cone_back_project::instruction_set (), error);
      g_assert_cmpfloat (error, <, 5e-3);
      g_assert_cmpfloat (error, >, 1e-4); // it is not the exact kernel
      const auto parts = run (c, precision, in, {19, 37, 1}, "fast");
      g_assert_cmpmem (whole.bytes.data (), whole.bytes.size (), parts.bytes.data (), parts.bytes.size ());
    }
  });
}

// Few views of a wide cone are computed exactly, and that is said.
void test_not_grouped ()
{
  for (const auto &c : cases ()) {
    const auto in = random_projections (c);
    const auto task = task_of (c, "single", "fast");
    const Format *format = &in.format;
    task->negotiate ({&format, 1});
    g_assert_cmpint (std::ssize (task->warnings ()), ==, 1);
    const auto out = run_task (*task, {&in});
    g_assert_cmpfloat (error_of (c, in, out), <, 1e-5);
  }
}

// Views of very different size, and one hot value, take nothing from the accuracy of others.
void test_sizes ()
{
  const auto &c = cases ()[0];
  auto in = random_projections (c);
  const auto view = c.rows * c.columns;
  const auto usual = run (c, "single", in);
  in.as<float> ()[3 * view + (c.rows / 2) * c.columns + c.columns / 2] = 1e5F;
  const auto single = run (c, "single", in), integers = run (c, "int16", in);
  double error = 0, size = 0;
  for (size_t i = 0; i < usual.bytes.size () / sizeof (float); i++)
    if (single.as<float> ()[i] == usual.as<float> ()[i]) { // it does not see the hot one
      const auto wanted = static_cast<double> (usual.as<float> ()[i]);
      error += std::pow (static_cast<double> (integers.as<float> ()[i]) - wanted, 2);
      size += wanted * wanted;
    }
  g_assert_cmpfloat (size, >, 0);
  // Its own view is held in steps of three, a thirty-seventh of all of them; the others are not.
  g_assert_cmpfloat (std::sqrt (error / size), <, 0.2);

  in = random_projections (c);
  for (int64_t i = 0; i < c.angles * view; i++)
    in.as<float> ()[i] *= std::pow (10.0F, static_cast<float> (i / view % 7 - 3));
  g_assert_cmpfloat (error_of (c, in, run (c, "int16", in)), <, 4e-4);
}

// Work items, blocks and threads change no bit.
void test_parts ()
{
  for (const auto &c : cases ()) {
    const auto in = random_projections (c);
    for (const auto *precision : {"single", "int16"}) {
      const auto whole = run (c, precision, in);
      for (const Cut cut : {Cut{1, 5, 2}, Cut{3, 1, 1}, Cut{16, 0, 2}, Cut{40, 5, 2}}) {
        if (cut.rows == 1 && c.slices > 20 && c.slices != 140)
          continue;
        const auto parts = run (c, precision, in, cut);
        g_assert_cmpmem (whole.bytes.data (), whole.bytes.size (), parts.bytes.data (), parts.bytes.size ());
      }
    }
  }
}

// More views than are added at once, coming in blocks of their own.
void test_groups ()
{
  const Case c{"groups", cases ()[0].setup, 300, 21, 27, 19, 17, 0.8};
  const auto in = random_projections (c);
  for (const auto *precision : {"single", "int16"}) {
    const auto whole = run (c, precision, in);
    g_assert_cmpfloat (error_of (c, in, whole), <, 4e-4);
    const auto parts = run (c, precision, in, {5, 37, 1});
    g_assert_cmpmem (whole.bytes.data (), whole.bytes.size (), parts.bytes.data (), parts.bytes.size ());
  }
}

// A value that is not finite spoils what saw it, and nothing else.
void test_damage ()
{
  const auto &c = cases ()[0];
  auto in = random_projections (c);
  in.as<float> ()[(3 * c.rows + 10) * c.columns + 12] = NAN;
  in.as<float> ()[(7 * c.rows + 4) * c.columns + 20] = INFINITY;
  const auto plain = run (c, "single", in), integers = run (c, "int16", in);
  double error = 0, size = 0;
  for (int64_t i = 0; i < plain.format.bytes () / 4; i++) {
    const auto a = static_cast<double> (plain.as<float> ()[i]), b = static_cast<double> (integers.as<float> ()[i]);
    g_assert_true (std::isfinite (b) || !std::isfinite (a));
    if (!std::isfinite (a) || !std::isfinite (b))
      continue;
    error += (a - b) * (a - b);
    size += a * a;
  }
  g_assert_cmpfloat (size, >, 0);
  g_assert_cmpfloat (std::sqrt (error / size), <, 4e-4);
}

// Tilts, and steps that are too large, are left to the plain kernel.
void test_choice ()
{
  auto c = cases ()[0];
  const auto remark = [&] (const char *precision) {
    const auto in = random_projections (c);
    const auto task = task_of (c, precision);
    const Format *format = &in.format;
    task->negotiate ({&format, 1});
    return task->remark (*native_device (), 1);
  };
  c.setup.pitch = 0.01;
  same (remark ("int16"), "native kernel, voxel by voxel");
  c = cases ()[0];
  c.setup.pixel_height = 0.1;
  same (remark ("single"), "native kernel, voxel by voxel");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/cone-back-project/native/truth", test_truth);
  g_test_add_func ("/cone-back-project/native/grouped", test_grouped);
  g_test_add_func ("/cone-back-project/native/not-grouped", test_not_grouped);
  g_test_add_func ("/cone-back-project/native/sizes", test_sizes);
  g_test_add_func ("/cone-back-project/native/parts", test_parts);
  g_test_add_func ("/cone-back-project/native/groups", test_groups);
  g_test_add_func ("/cone-back-project/native/damage", test_damage);
  g_test_add_func ("/cone-back-project/native/choice", test_choice);
  return g_test_run ();
}

} // namespace sino::test::cone_back_project_native_test
