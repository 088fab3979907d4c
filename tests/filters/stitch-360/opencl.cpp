// SPDX-License-Identifier: LGPL-3.0-or-later
// Half acquisitions on the first OpenCL device, with blocks in plain memory of the host: stitch-360-opencl [small]. The
// truth is the native code, which a test of whole runs holds to projections in closed form. Costs 1 s.
#include "tests/filters/values/values.hpp"
#include "tests/support/opencl-buffers.hpp"

namespace sino::test::stitch_360_opencl_test {

namespace {

bool small = false;

Array turn (Format format, int64_t count)
{
  auto geometry = std::make_shared<Geometry> ();
  for (int64_t i = 0; i < count; i++)
    geometry->angles.push_back (2 * G_PI * static_cast<double> (i * 7 % count) / static_cast<double> (count));
  format.geometry = std::move (geometry);
  return filled (format, [] (size_t, float noise) { return 2 * noise - 1; });
}

// Pairs of projections lie far apart, in several blocks; an odd number of projections is not joined.
void test_joins ()
{
  for (const int64_t count : {20, 15})
    for (const auto &format : {projections (Element::f32, {Axis::angle, count}, {Axis::row, 6}, {Axis::column, 66}),
                               sinograms (Element::f32, {Axis::row, 6}, {Axis::angle, count}, {Axis::column, 66})})
      for (const char *axis : {"50", "13.3"}) {
        const auto in = turn (format, count);
        const auto at = [&] (const char *variant, Cut cut) {
          if (variant == std::string_view ("opencl"))
            cut.device = &first_device ();
          return run_task (*make_task ("stitch-360", {{"axis", axis}, {"variant", variant}}), {&in}, cut);
        };
        const auto native = at ("native", {}), whole = at ("opencl", {});
        g_assert_cmpuint (whole.bytes.size (), ==, native.bytes.size ());
        for (size_t i = 0; i < size_of (native); i++)
          g_assert_cmpfloat (std::abs (value_at (whole, i) - value_at (native, i)), <, 1e-6);
        if (small)
          return;
        for (const Cut cut : {Cut{.rows = 4, .angles = 3}, Cut{.rows = 1, .angles = 1, .lanes = 4}})
          same_bytes (at ("opencl", cut), whole);
      }
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/stitch-360/opencl/joins", test_joins);
  });
}

} // namespace sino::test::stitch_360_opencl_test
