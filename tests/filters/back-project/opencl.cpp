// SPDX-License-Identifier: LGPL-3.0-or-later
// The node on the first OpenCL device: back-project-opencl [small]. With `small` the sizes suit a simulator. Most of it
// is for the reference kernel; what the others compute is in back-project-variants.cpp.
//
// Tolerance: its positions are exact, so what remains are roundings of weights and sums of float: 1e-6 for up to 40
// values. Other kernels round positions within a tile: 1e-5. Texture
// engines of GPUs weigh in steps of 1/256: 3e-3.
#include "device/opencl.hpp"
#include "tests/filters/back-project/node.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"

namespace sino::test::back_project_opencl_test {

namespace {

constexpr double tolerance = 1e-6, tolerance_of_others = 1e-5, tolerance_of_engines = 3e-3;
bool small = false;

// A simulator takes minutes to try kernels and to measure them.
std::pair<std::string, std::string> usual_variant ()
{
  return {"variant", small ? "reference" : "auto"};
}

Cut on_opencl (int lanes = 0)
{
  Cut cut;
  cut.lanes = lanes;
  cut.device = opencl_devices ()[0].get ();
  return cut;
}

void test_definition ()
{
  size_t number = 0;
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    for (const bool nearest : {false, true}) {
      if (!is_drawn (number++, 5)) // a program
        continue;
      for (const int64_t width : small ? std::vector<int64_t>{9} : std::vector<int64_t>{1, 64, 83}) {
        const int64_t rows = std::max (1, std::min (lanes, 17) - lanes / 8);
        const NoiseScan scan (rows, small ? 3 : 23, width, static_cast<unsigned> (lanes + width));
        const auto out =
            reconstruct (to_array (scan), {{"interpolation", nearest ? "nearest" : "linear"}, {"variant", "reference"}},
                         on_opencl (lanes));
        g_assert_cmpfloat (error_of (out, scan, nearest), <, tolerance);
      }
    }
}

void test_axis ()
{
  const int64_t width = small ? 10 : 64;
  for (const double part : {-0.3125, 0.0, 0.1562, 1.0, 1.4101}) {
    const double axis = part * static_cast<double> (width);
    NoiseScan scan (2, 5, width);
    auto array = to_array (scan);
    auto geometry = *array.format.geometry;
    for (size_t k = 0; k < 5; k++)
      scan.axis[k] = axis + 0.37 * static_cast<double> (k);
    geometry.axis = scan.axis;
    array.format.geometry = std::make_shared<Geometry> (geometry);
    const auto out = reconstruct (array, {{"variant", "reference"}}, on_opencl ());
    const auto *values = out.as<float> ();
    if (std::any_of (values, values + 2 * width * width, [] (float v) { return v != 0; }))
      g_assert_cmpfloat (error_of (out, scan), <, tolerance);
    else // all truths are 0 as well
      g_assert_true (std::isnan (error_of (out, scan)));
  }
  // One projection alone is seen.
  NoiseScan scan (1, 3, width);
  scan.axis = {-1e300, 0.5 * width, 1e300};
  auto array = to_array (scan);
  auto geometry = *array.format.geometry;
  geometry.axis = scan.axis;
  array.format.geometry = std::make_shared<Geometry> (geometry);
  const bool gpu = opencl_devices ()[0]->facts ().gpu; // whose usual kernels round positions within a tile
  g_assert_cmpfloat (error_of (reconstruct (array, {usual_variant ()}, on_opencl ()), scan), <,
                     gpu ? tolerance_of_others : tolerance);
}

// The bits do not depend on the region, the cut, or the launches (whose rows follow the time that they take); those of
// the reference kernel not on the lanes either.
void test_region_of (const char *variant, double most)
{
  const bool reference = variant == std::string_view ("reference");
  const int64_t width = small ? 13 : 150;
  const NoiseScan scan (5, small ? 3 : 12, width);
  const auto array = to_array (scan);
  const auto whole = reconstruct (array, {{"variant", variant}}, on_opencl (4));
  g_assert_cmpfloat (error_of (whole, scan), <, most);
  auto cut = on_opencl (reference ? 2 : 4);
  cut.rows = reference ? 3 : 4;
  g_assert_true (reconstruct (array, {{"variant", variant}}, cut).bytes == whole.bytes);
  const int64_t x0 = width / 8, y0 = width / 7; // on the circle
  const auto part = reconstruct (array,
                                 {{"roi-x", std::to_string (x0)},
                                  {"roi-y", std::to_string (y0)},
                                  {"roi-width", "7"},
                                  {"roi-height", "5"},
                                  {"variant", variant},
                                  {"mask", "true"}},
                                 on_opencl (4));
  g_assert_cmpfloat (error_of (part, scan, false, true), <, most);
  int inside = 0;
  for (int64_t y = 0; y < 5; y++)
    for (int64_t x = 0; x < 7; x++)
      if (scan.in_circle (x0 + x, y0 + y)) {
        g_assert_true (part.as<float> ()[y * 7 + x] == whole.as<float> ()[(y0 + y) * width + x0 + x]);
        inside++;
      }
  g_assert_cmpint (inside, >, 3);
  g_assert_cmpint (inside, <, 35);
}

void test_region ()
{
  test_region_of ("reference", tolerance);
  if (small) // a simulator takes minutes for one of the others
    return;
  size_t number = 0;
  for (const char *variant : {"blocked", "local", "window"})
    if (is_drawn (number++, 4))
      test_region_of (variant, tolerance_of_others);
  if (!small && opencl_devices ()[0]->facts ().images) // simulators take what is read from images for undefined
    for (const char *variant : {"texture", "hybrid"})
      if (is_drawn (number++, 4))
        test_region_of (variant, opencl_devices ()[0]->facts ().gpu ? tolerance_of_engines : tolerance_of_others);
}

void test_half ()
{
  NoiseScan scan (3, small ? 3 : 12, small ? 9 : 64);
  for (auto &v : scan.values)
    v = std::round (v * 512) / 512; // exact in half
  const auto array = to_array (scan);
  auto pack = make_task ("half-pack");
  const auto packed = run_task (*pack, {&array}, {});
  for (const int lanes : {1, 4, 16})
    g_assert_cmpfloat (error_of (reconstruct (packed, {usual_variant ()}, on_opencl (lanes)), scan), <,
                       tolerance_of_others);
  // Who asks for halves gets those that come.
  const auto bytes = reconstruct (packed, {usual_variant ()}, on_opencl (4)).bytes;
  for (const char *precision : {"half-storage", "half"})
    g_assert_true (reconstruct (packed, {{"precision", precision}, usual_variant ()}, on_opencl (4)).bytes == bytes);
}

// Both kinds of device agree on what a user would run.
void test_native ()
{
  const NoiseScan scan (4, 40, 250);
  const auto array = to_array (scan);
  const auto native = reconstruct (array, {{"mask", "true"}, {"axis", "120.3"}, {"weights", "spacing"}});
  const auto opencl = reconstruct (array, {{"mask", "true"}, {"axis", "120.3"}, {"weights", "spacing"}}, on_opencl ());
  RelativeError difference;
  for (int64_t i = 0; i < 4 * 250 * 250; i++)
    difference.add (opencl.as<float> ()[i], native.as<float> ()[i]);
  g_assert_cmpfloat (difference.value (), <, tolerance_of_others);
}

void test_variant ()
{
  const NoiseScan scan (1, 3, 8);
  const auto array = to_array (scan);
  const auto message = [&] (const char *variant, const char *parameters) {
    return message_of ([&] {
      reconstruct (array, {{"variant", variant}, {"variant-parameters", parameters}}, on_opencl (1));
    });
  };
  same (message ("local", "PIXELS=7"), "PIXELS of variant=local must be one of 4, 8, 16, got 7");
  g_assert_true (
      message ("local", "PIXEL=4").starts_with ("variant=local has no parameter 'PIXEL': the parameters are PIXELS, "));
  same (message ("reference", "PIXELS=4"), "variant=reference has no parameter 'PIXELS': it has none");
  same (message ("local", "PIXELS"), "'PIXELS' is not NAME=NUMBER: give a list of these, separated by commas");
  const auto &name = opencl_devices ()[0]->name;
  same (message ("native", ""), "variant=native does not run on cl:0 (" + name + "): it runs the OpenCL kernels");
  same (message ("blocked", ""),
        "no kernel on cl:0 (" + name +
            ") can do this with variant=blocked:\n  blocked with 1 lane: does not take 1 lane");
  same (message ("auto", "PIXELS=4"),
        "variant-parameters=PIXELS=4 wants variant= with the OpenCL kernel that has them, got auto");
  same (message ("local", "PIXELS=4,PIXELS=8"), "PIXELS of variant=local is given twice");
  same (message_of ([&] {
          reconstruct (array, {{"variant-parameters", "FOO=1"}});
        }),
        "variant-parameters=FOO=1 wants variant= with the OpenCL kernel that has them, got auto");
}

// The kernel computes in single precision, and says so; auto promises no more than that.
void test_precision ()
{
  const NoiseScan scan (2, 3, 8);
  const auto array = to_array (scan);
  const auto single = reconstruct (array, {usual_variant ()}, on_opencl ());
  g_assert_true (reconstruct (array, {{"precision", "auto"}, usual_variant ()}, on_opencl ()).bytes == single.bytes);
  const auto device = "cl:0 (" + opencl_devices ()[0]->name + ")";
  for (const char *precision : {"half-storage", "half", "int16"})
    same (message_of ([&] {
            reconstruct (array, {{"precision", precision}}, on_opencl ());
          }),
          text ("precision=%s does not run on %s, which computes in single precision: give single or auto, or put "
                "half-pack before interleave",
                precision, device.c_str ()));
  const auto task = make_task ("back-project", {{"precision", "auto"}});
  const Format *formats[] = {&array.format};
  task->negotiate (formats);
  if (small)
    return;
  const auto remark = task->remark (*opencl_devices ()[0], 4);
  // What is fast on the device goes before what was found for just so many lanes, but fits any device.
  if (opencl_devices ()[0]->facts ().vendor == "pocl")
    g_assert_true (remark.starts_with ("blocked kernel, OpenCL, 4 lanes"));
  g_assert_true (remark.find (" kernel, OpenCL, 4 lanes, single precision (") != remark.npos);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  small = argc > 1 && std::string (argv[1]) == "small";
  if (opencl_devices ().empty ()) {
    printf ("1..0 # SKIP no OpenCL device\n");
    return 0;
  }
  g_test_add_func ("/back-project/opencl/definition", test_definition);
  g_test_add_func ("/back-project/opencl/axis", test_axis);
  g_test_add_func ("/back-project/opencl/region", test_region);
  g_test_add_func ("/back-project/opencl/half", test_half);
  if (!small)
    g_test_add_func ("/back-project/opencl/native", test_native);
  g_test_add_func ("/back-project/opencl/variant", test_variant);
  g_test_add_func ("/back-project/opencl/precision", test_precision);
  return g_test_run ();
}

} // namespace sino::test::back_project_opencl_test
