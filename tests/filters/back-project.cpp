// SPDX-License-Identifier: LGPL-3.0-or-later
// The node on the native device: geometry, properties, errors, and bits that do not depend on how the work is cut.
// (What the kernel computes is in back-project-kernels.cpp, which also says where the tolerances come from.)
#include "tests/filters/back-project/node.hpp"
#include "tests/support/expect.hpp"
#include <unistd.h>

namespace sino::test::back_project_test {

namespace {

constexpr double tolerance = 5e-7;

void test_rows ()
{
  for (const int64_t rows : {1, 2, 3, 5, 17}) {
    const NoiseScan scan (rows, 11, 50, static_cast<unsigned> (rows));
    g_assert_cmpfloat (error_of (reconstruct (to_array (scan)), scan), <, tolerance);
  }
}

void test_format ()
{
  const NoiseScan scan (3, 7, 64);
  const auto out = reconstruct (to_array (scan), {{"roi-x", "5"}, {"roi-y", "6"}, {"roi-width", "20"}}).format;
  same (out.describe (), "f32 slices (z 3, y 58, x 20)");
  g_assert_true (out.dim (Axis::z) == (Dim{Axis::z, 3, 10, 2})); // the number in the scan names the file of a slice
  g_assert_true (out.dim (Axis::y) == (Dim{Axis::y, 58, 6}));
  g_assert_true (out.dim (Axis::x) == (Dim{Axis::x, 20, 5}));
  same (out.changed_by, "back-project");
  auto task = make_task ("back-project", {{"roi-width", "20"}});
  const auto in = to_array (scan);
  const Format *formats[] = {&in.format};
  task->negotiate (formats);
  g_assert_cmpfloat (task->updates_per_row (), ==, 20 * 64 * 7);
}

void test_axis ()
{
  NoiseScan scan (2, 9, 64);
  auto array = to_array (scan);
  auto geometry = *array.format.geometry;

  scan.axis.assign (9, 20.25);
  g_assert_cmpfloat (error_of (reconstruct (array, {{"axis", "20.25"}}), scan), <, tolerance);
  geometry.axis = {20.25};
  array.format.geometry = std::make_shared<Geometry> (geometry);
  g_assert_cmpfloat (error_of (reconstruct (array), scan), <, tolerance);

  for (size_t k = 0; k < 9; k++)
    scan.axis[k] = 28.5 + static_cast<double> (k);
  geometry.axis = scan.axis;
  array.format.geometry = std::make_shared<Geometry> (geometry);
  const auto from_geometry = reconstruct (array);
  g_assert_cmpfloat (error_of (from_geometry, scan), <, tolerance);

  const std::string path = text ("%s/sinograph-axis-%d.txt", g_get_tmp_dir (), getpid ());
  g_assert_true (
      g_file_set_contents (path.c_str (), "28.5\n29.5\n30.5\n31.5\n32.5\n33.5\n34.5\n35.5\n36.5\n", -1, nullptr));
  g_assert_true (reconstruct (to_array (scan), {{"axis", path}}).bytes == from_geometry.bytes);
  g_assert_true (g_file_set_contents (path.c_str (), "28.5\n29.5\n", -1, nullptr));
  same (message_of ([&] {
          reconstruct (array, {{"axis", path}});
        }),
        "axis=" + path + " has 2 numbers for 9 projections");
  g_assert_true (g_file_set_contents (path.c_str (), "28.5\nmiddle\n", -1, nullptr));
  same (message_of ([&] {
          reconstruct (array, {{"axis", path}});
        }),
        "'" + path + "' line 2: 'middle' is not a column of the rotation axis");
  unlink (path.c_str ());
}

void test_offset ()
{
  NoiseScan scan (1, 9, 40);
  const auto array = to_array (scan);
  for (auto &angle : scan.angles)
    angle += std::numbers::pi / 3;
  g_assert_cmpfloat (error_of (reconstruct (array, {{"angle-offset", "60"}}), scan), <, tolerance);
}

void test_weights ()
{
  // Halves of the gaps on the half circle, by hand: in order they are 0, 10, 20, 50, 90, 150 degrees.
  NoiseScan scan (1, 6, 40);
  const double degrees[] = {0, 10, 50, 200, -30, 90};
  const double shares[] = {20, 10, 35, 20, 45, 50};
  for (size_t k = 0; k < 6; k++) {
    scan.angles[k] = degrees[k] * std::numbers::pi / 180;
    scan.weights[k] = shares[k] * std::numbers::pi / 180;
  }
  g_assert_cmpfloat (error_of (reconstruct (to_array (scan), {{"weights", "spacing"}}), scan), <, tolerance);

  // Both ends of the half circle: they share one direction, and its weight.
  NoiseScan closed (1, 5, 40);
  for (size_t k = 0; k < 5; k++) {
    closed.angles[k] = std::numbers::pi * static_cast<double> (k) / 4;
    closed.weights[k] = std::numbers::pi / (k % 4 == 0 ? 8 : 4);
  }
  g_assert_cmpfloat (error_of (reconstruct (to_array (closed), {{"weights", "spacing"}}), closed), <, tolerance);

  // Even angles: pi / N, wherever they begin.
  NoiseScan even (1, 8, 40);
  for (size_t k = 0; k < 8; k++)
    even.angles[k] = 1 + std::numbers::pi * static_cast<double> (k) / 8;
  g_assert_cmpfloat (error_of (reconstruct (to_array (even), {{"weights", "spacing"}}), even), <, tolerance);
}

void test_nearest ()
{
  const NoiseScan scan (3, 15, 70);
  g_assert_cmpfloat (error_of (reconstruct (to_array (scan), {{"interpolation", "nearest"}}), scan, true), <, 2e-7);
}

void test_mask ()
{
  for (const int64_t width : {64, 71, 200}) {
    const NoiseScan scan (1, 7, width);
    g_assert_cmpfloat (error_of (reconstruct (to_array (scan), {{"mask", "true"}}), scan, false, true), <, tolerance);
  }
}

void test_half ()
{
  NoiseScan scan (5, 12, 64);
  auto array = to_array (scan);
  auto pack = make_task ("half-pack");
  const auto packed = run_task (*pack, {&array}, {});
  // Rounding to 11 bits errs by 2^-12 of a value at most, uniformly: 2^-12 / sqrt 3 = 1.4e-4 of values of the same
  // size.
  g_assert_cmpfloat (error_of (reconstruct (packed), scan), <, 2e-4);
  for (auto &v : scan.values)
    v = std::round (v * 512) / 512; // exact in half
  array = to_array (scan);
  g_assert_true (reconstruct (run_task (*pack, {&array}, {})).bytes == reconstruct (array).bytes);
}

void test_cut ()
{
  const NoiseScan scan (19, 13, 90);
  const auto array = to_array (scan);
  const auto whole = reconstruct (array);
  for (const Cut &cut : {Cut{16, 0, 1}, Cut{5, 0, 2}, Cut{1, 0, 2}, Cut{0, 0, 1}})
    g_assert_true (reconstruct (array, {}, cut).bytes == whole.bytes);

  const auto part = reconstruct (array, {{"roi-x", "17"}, {"roi-y", "65"}, {"roi-width", "41"}, {"roi-height", "9"}});
  for (int64_t z = 0; z < 19; z++)
    for (int64_t y = 0; y < 9; y++)
      g_assert_cmpmem (part.as<float> () + (z * 9 + y) * 41, 41 * sizeof (float),
                       whole.as<float> () + (z * 90 + y + 65) * 90 + 17, 41 * sizeof (float));
}

void test_errors ()
{
  const NoiseScan scan (2, 9, 64);
  const auto array = to_array (scan);
  const auto message = [] (const Array &in, const Properties &properties) {
    return message_of ([&] { reconstruct (in, properties); });
  };
  auto wrong = array;
  wrong.format.axes = {{Axis::angle, 9}, {Axis::row, 2}, {Axis::column, 64}};
  wrong.format.element = Element::u16;
  same (message (wrong, {}),
        "wants sinograms, got u16 projections (angle 9, row 2, column 64): put 'interleave' before it");
  wrong = array;
  wrong.format.element = Element::u16;
  same (message (wrong, {}), "wants f16 or f32 values, got u16 sinograms (row 2, angle 9, column 64): put 'flat-field' "
                             "and 'ramp-filter' before it");
  wrong = array;
  wrong.format.geometry = nullptr;
  const std::string no_angles = "the projections have no angles: give ",
                    way_out = " angles=start:stop (degrees, stop excluded, for example angles=0:180) or angles=FILE "
                              "with one angle per projection";
  same (message (wrong, {}), no_angles + "the source" + way_out);
  wrong.format.source = "scan";
  wrong.format.geometry = std::make_shared<Geometry> ();
  same (message (wrong, {}), no_angles + "'scan'" + way_out);
  auto geometry = *array.format.geometry;
  geometry.angles.pop_back ();
  wrong.format.geometry = std::make_shared<Geometry> (geometry);
  same (message (wrong, {}), "there are 8 angles for 9 projections");

  same (message (array, {{"axis", "midle"}}),
        "axis=midle is neither 'auto' nor a number, nor a file that can be read: give the column of the rotation axis, "
        "or a text file with one number per projection");
  same (message (array, {{"axis", "nan"}}), "axis=nan must be finite");
  same (message (array, {{"roi-x", "64"}}), "roi-x=64 is outside the slice of 64 x 64 pixels");
  same (message (array, {{"roi-y", "60"}, {"roi-height", "5"}}),
        "roi-y=60 + roi-height=5 is more than the slice's 64 pixels: at most 4 are left");
}

// Each corner of the slice is just on the detector, or just beside it.
void test_axis_far_away ()
{
  NoiseScan scan (1, 4, 64);
  auto array = to_array (scan);
  auto geometry = *array.format.geometry;
  geometry.angles = {0, 0.1, 0.2, 0.3};
  array.format.geometry = std::make_shared<Geometry> (geometry);
  const double corner = 32 * (std::cos (0.3) + std::sin (0.3)); // corner in the last projection, the farthest
  const auto task = [&] (double axis, const Properties &more = {}) {
    auto properties = more;
    properties.emplace_back ("axis", text ("%.17g", axis));
    auto made = make_task ("back-project", properties);
    const Format *formats[] = {&array.format};
    made->negotiate (formats);
    return made;
  };
  for (const double axis : {64 + corner + 0.001, -corner - 0.001, 1e9, -1e300})
    same (message_of ([&] { task (axis); }), text ("no part of the slices is on the detector in any projection: the "
                                                   "axis, at column %g, is too far from columns 0 to 64",
                                                   axis));
  for (const double axis : {64 + corner - 0.001, -corner + 0.001, 64.01, -0.01}) {
    const auto notes = task (axis)->warnings ();
    g_assert_cmpuint (notes.size (), ==, 2);
    g_assert_true (notes[0].starts_with ("directions from"));
    same (notes[1],
          text ("the axis, at column %g in projection 0, is not on the detector, which has columns 0 to 64", axis));
  }
  for (const double axis : {0., 32., 64.})
    g_assert_cmpuint (task (axis)->warnings ().size (), ==, 1);
  // A region sees less than the slice.
  const Properties far{{"roi-x", "0"}, {"roi-width", "8"}, {"roi-y", "28"}, {"roi-height", "8"}};
  g_assert_true (message_of ([&] { task (64 + corner - 0.001); }) == "(no error)");
  g_assert_true (message_of ([&] { task (-25, far); }).starts_with ("no part of the slices is on the detector"));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/back-project/rows", test_rows);
  g_test_add_func ("/back-project/format", test_format);
  g_test_add_func ("/back-project/axis", test_axis);
  g_test_add_func ("/back-project/angle-offset", test_offset);
  g_test_add_func ("/back-project/weights", test_weights);
  g_test_add_func ("/back-project/nearest", test_nearest);
  g_test_add_func ("/back-project/mask", test_mask);
  g_test_add_func ("/back-project/half", test_half);
  g_test_add_func ("/back-project/cut", test_cut);
  g_test_add_func ("/back-project/errors", test_errors);
  g_test_add_func ("/back-project/axis-far-away", test_axis_far_away);
  return g_test_run ();
}

} // namespace sino::test::back_project_test
