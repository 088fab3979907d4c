// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernel for weights=adjoint against the CPU, and as the transpose of forward-project on the device. 7 s,
// and half a minute for PoCL's compiler the first time. cone-back-project-adjoint [DEVICE], which is a part of a name.
#include "base/error.hpp"
#include "base/text.hpp"
#include "filters/cone-back-project/opencl/layers.hpp"
#include "tests/filters/forward-project/cases.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace sino::test::cone_back_project_adjoint_test {

using namespace forward_project_test;

namespace {

const OpenclDevice *device;

Words with (const char *parameters)
{
  return {{"variant", "gather"}, {"variant-parameters", parameters}};
}

const Words small = with ("VIEWS=4,Z=4,WIDE=8,HIGH=4");
// The other ways to add up rays: each is read once, also for voxels side by side, or once for a work-group.
const Words once = with ("VIEWS=4,Z=4,WIDE=8,HIGH=4,ONCE=1"), blocks = with ("VIEWS=4,Z=4,WIDE=8,HIGH=2,ONCE=1,SIDE=2"),
            shared = with ("VIEWS=4,Z=4,WIDE=8,HIGH=8,ONCE=2"),
            proposed = with ("VIEWS=32,Z=16,WIDE=16,HIGH=16,ONCE=2");

Array projections_of (const Words &words, const Box &box)
{
  const auto x = random_volume (box);
  const auto task = make_task ("forward-project", words + box.whole ());
  const Format *format = &x.format;
  Array y{task->negotiate ({&format, 1}), {}};
  fill_random (y, 6);
  return y;
}

Array back (const Array &y, const Box &box, const Words &more, Cut cut = {})
{
  return run_task (
      *make_task ("cone-back-project", box.whole () + box.region () + Words{{"weights", "adjoint"}} + more), {&y}, cut);
}

Array on_device (const Array &y, const Box &box, const Words &more = small, Cut cut = {})
{
  cut.device = device;
  return back (y, box, more, cut);
}

// The CPU adds in float as well, in another order.
void check (const char *name, const Array &got, const Array &wanted)
{
  double error = 0, most = 0, largest = 0;
  for (size_t i = 0; i < wanted.bytes.size () / sizeof (float); i++) {
    const auto one = static_cast<double> (got.as<float> ()[i]), other = static_cast<double> (wanted.as<float> ()[i]);
    error += (one - other) * (one - other);
    most = std::max (most, std::abs (one - other));
    largest = std::max (largest, std::abs (other));
  }
  const double size = product (wanted, wanted);
  g_test_message ("%s: %.2g, at most %.2g", name, std::sqrt (error / size), most / largest);
  g_assert_cmpfloat (size, >, 0);
  g_assert_cmpfloat (std::sqrt (error / size), <, 5e-6);
  g_assert_cmpfloat (most, <, 1e-5 * largest);
}

void test_native ()
{
  for (const auto &scan : scans ())
    for (const auto &box : boxes) {
      const auto y = projections_of (scan.words, box);
      const auto wanted = back (y, box, {});
      for (const auto &way : {small, once, blocks, shared})
        check (text ("%s, voxels of %s, %s", scan.name, box.voxel, way[1].second.c_str ()).c_str (),
               on_device (y, box, way, {5, 3}), wanted);
    }
}

// Voxels of more than a pixel take rays of more lines, for which work-groups that share sums have code of their own.
void test_large_voxels ()
{
  const std::pair<Box, Words> cases[] = {{{14, 11, {0, 14}, {0, 14}, {0, 11}, "1.4"}, proposed},
                                         {{10, 8, {0, 10}, {0, 10}, {0, 8}, "1.9"}, shared}};
  for (const auto &scan : scans ())
    for (const auto &[box, way] : cases) {
      const auto y = projections_of (scan.words, box);
      check (text ("%s, voxels of %s, %s", scan.name, box.voxel, way[1].second.c_str ()).c_str (),
             on_device (y, box, way, {5, 3}), back (y, box, {}));
    }
}

// Wide detectors: places stay precise. Upside down, rows count downward.
void test_wide ()
{
  const Box box{330, 40, {3, 36}, {290, 330}, {4, 13}, "0.45"};
  const Words scan{{"width", "600"},         {"height", "50"},           {"projections", "8"}, {"angles", "1:361"},
                   {"source-origin", "700"}, {"origin-detector", "300"}, {"axis", "311.3"},    {"pixel-size", "0.6"}};
  for (const auto &more : {Words{}, Words{{"detector-roll", "180"}}, Words{{"detector-roll", "3"}}}) {
    const auto y = projections_of (scan + more, box);
    for (const auto &way : {small, once, blocks, shared})
      check (more.empty () ? "upright" : more[0].second.c_str (), on_device (y, box, way), back (y, box, {}));
  }
}

// <A x, y> = <x, A^T y>, both on the device. y is random with a share of A x, so that the products are not almost 0.
void test_pair ()
{
  for (const auto &scan : scans ()) {
    const auto &box = boxes[is_drawn (0, 2) ? 1 : 2];
    const auto x = random_volume (box);
    const auto ax =
        run_task (*make_task ("forward-project",
                              scan.words + box.whole () +
                                  Words{{"variant", "buffer"}, {"variant-parameters", "VIEWS=4,WIDE=8,HIGH=4"}}),
                  {&x}, {.rows = 5, .angles = 3, .device = device});
    Array y = ax;
    fill_random (y, 6);
    const double share = 1 / std::sqrt (product (ax, ax) / product (y, y));
    for (size_t i = 0; i < y.bytes.size () / sizeof (float); i++)
      y.as<float> ()[i] += static_cast<float> (share) * ax.as<float> ()[i];
    const double left = product (ax, y);
    g_assert_cmpfloat (left, >, 0);
    for (const auto &way : {small, shared}) {
      const double right = product (x, on_device (y, box, way));
      g_test_message ("%s: %.9g and %.9g", scan.name, left, right);
      g_assert_cmpfloat (std::abs (left - right), <, 1e-6 * left);
    }
  }
}

// Work items, blocks and groups of views change no bit.
void test_cuts ()
{
  const auto all = scans ();
  for (const auto &[scan, number] : {std::pair{0, 1}, {5, 2}, {0, 2}, {7, 1}}) {
    const auto &box = boxes[number];
    const auto y = projections_of (all[static_cast<size_t> (scan)].words, box);
    const auto whole = on_device (y, box);
    for (const Cut cut : {Cut{3, 4}, Cut{1, 1}, Cut{7, 10}})
      same_bytes (whole, on_device (y, box, small, cut));
    for (const auto &way : {once, blocks, shared})
      same_bytes (on_device (y, box, way), on_device (y, box, way, {3, 4}));
    if (scan == 0 || thorough ())
      same_bytes (whole,
                  on_device (y, box, {{"variant", "gather"}, {"variant-parameters", "VIEWS=1,Z=4,WIDE=8,HIGH=4"}}));
  }
}

void test_mask ()
{
  const Box box{20, 4, {0, 20}, {0, 20}, {0, 4}, "0.9"};
  const auto y = projections_of (scans ()[0].words, box);
  for (const auto &way : {small, shared}) {
    const auto whole = on_device (y, box, way), masked = on_device (y, box, way + Words{{"mask", "true"}});
    for (int64_t i = 0; i < 4 * 20 * 20; i++) {
      const auto x = static_cast<double> (i % 20) - 9.5, from = static_cast<double> (i / 20 % 20) - 9.5;
      g_assert_cmpfloat (masked.as<float> ()[i], ==, x * x + from * from > 100 ? 0 : whole.as<float> ()[i]);
    }
  }
}

// Upright scans take the fast way, in which few lines of rays are near a voxel.
void test_lines ()
{
  const kernels::Volume volume{{-9, -9, -7}, 0.9, 20, 20, 16};
  const auto lines = [&] (const ScanSetup &setup) {
    const auto view = views_of (setup, std::array{0.4})[0];
    const std::array detectors{forward_project::detector_of (view, 24, volume)};
    const cone_back_project::Job job{{{matrix_of (view), 1}}, volume, 24, 18, HUGE_VAL};
    return cone_back_project::near_lines (job, detectors);
  };
  ScanSetup setup{
      .source_origin = 900, .origin_detector = 450, .pixel_width = 1.35, .pixel_height = 1.35, .column = 12, .row = 9};
  g_assert_cmpint (lines (setup), ==, 3); // 0.9 at the axis, and little less on the source's side: 2 / (0.95 * 0.99)
  setup.pixel_height = 1.6;
  g_assert_cmpint (lines (setup), ==, 2);
  setup.pixel_height = 0.3;
  g_assert_cmpint (lines (setup), ==, 0); // 10 are too many
  setup.pixel_height = 1.35;
  setup.roll = 0.01;
  g_assert_cmpint (lines (setup), ==, 0);
  g_assert_cmpint (lines ({.pixel_width = 1, .pixel_height = 1, .column = 12, .row = 9}), ==, 2);
}

void test_errors ()
{
  const auto y = projections_of (scans ()[0].words, boxes[0]);
  g_assert_nonnull (strstr (message_of ([&] {
                              on_device (y, boxes[0], {{"variant", "buffer"}});
                            }).c_str (),
                            "does not have weights=adjoint"));
  g_assert_nonnull (strstr (message_of ([&] {
                              on_device (y, boxes[0], {{"variant", "gather"}, {"weights", "fdk"}});
                            }).c_str (),
                            "is for weights=adjoint"));
  g_assert_nonnull (strstr (message_of ([&] { on_device (y, boxes[0], with ("WIDE=8,HIGH=4,ONCE=2")); }).c_str (),
                            "ONCE=2 wants WIDE and HIGH to be alike"));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  device = device_called (argc > 1 ? argv[1] : "");
  if (!device)
    return 0;
  g_test_add_func ("/cone-back-project/adjoint/native", test_native);
  g_test_add_func ("/cone-back-project/adjoint/large-voxels", test_large_voxels);
  g_test_add_func ("/cone-back-project/adjoint/wide", test_wide);
  g_test_add_func ("/cone-back-project/adjoint/pair", test_pair);
  g_test_add_func ("/cone-back-project/adjoint/cuts", test_cuts);
  g_test_add_func ("/cone-back-project/adjoint/mask", test_mask);
  g_test_add_func ("/cone-back-project/adjoint/lines", test_lines);
  g_test_add_func ("/cone-back-project/adjoint/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::cone_back_project_adjoint_test
