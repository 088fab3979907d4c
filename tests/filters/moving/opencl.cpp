// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters that move pixels on the first OpenCL device: moving-opencl [small]. The truth is the native code, which
// tests of its own hold to numpy and scipy: the same bytes where pixels are copied or added, 1e-6 where they are
// interpolated, and the same bytes however the stream is cut. Costs 5 s, most of it PoCL's compiler; simulated 3 to 8
// s.
#include "base/pointers.hpp"
#include "families/use.hpp"
#include "tests/filters/values/values.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <filesystem>
#include <fstream>

namespace sino::test::moving_opencl_test {

namespace {

bool small = false;

// Files of properties, in a folder that is removed at the end.
class Files
{
public:
  Files () : folder (CharPtr (g_dir_make_tmp ("moving-XXXXXX", nullptr)).get ()) {}
  ~Files () { std::filesystem::remove_all (folder); }
  std::string with (const char *name, const std::string &text) const
  {
    auto path = folder + "/" + name;
    std::ofstream (path) << text;
    return path;
  }

private:
  const std::string folder;
};

// Noise of both signs; of floats some are no numbers.
Array noise (const Format &format)
{
  const bool floats = format.element == Element::f16 || format.element == Element::f32;
  return filled (format, [&] (size_t i, float value) {
    return floats && i % 101 == 7 ? NAN
           : floats               ? 300 * value - 100
                                  : (format.element == Element::u8 ? 255 : 1000) * value;
  });
}

double largest (const Array &array)
{
  double most = 0;
  for (size_t i = 0; i < size_of (array); i++)
    if (const auto value = value_at (array, i); std::isfinite (value))
      most = std::max (most, std::abs (value));
  return most;
}

void check_same (const Array &got, const Array &native, double tolerance)
{
  g_assert_cmpuint (got.bytes.size (), ==, native.bytes.size ());
  if (tolerance == 0 && native.format.element != Element::f32)
    return same_bytes (got, native);
  const double least = tolerance * largest (native);
  for (size_t i = 0; i < size_of (got); i++) {
    const auto is = value_at (got, i), should = value_at (native, i);
    if (!(std::abs (is - should) <= least || (std::isnan (is) && std::isnan (should))))
      g_error ("value %zu is %.9g, not %.9g", i, is, should);
  }
}

// The node on the device, of one stream of each kind that it takes.
void check (const char *node, const Settings &settings, const std::vector<Kind> &kinds, double tolerance)
{
  const auto chosen =
      small ? std::vector{Element::u16} : drawn (std::vector{Element::u8, Element::u16, Element::f16, Element::f32}, 2);
  for (const auto element : chosen)
    for (const auto &format : streams (element)) {
      if (std::ranges::find (kinds, format.kind ()) == kinds.end () || (small && format.kind () != kinds[0]))
        continue;
      const auto in = noise (format);
      const auto at = [&] (const char *variant, Cut cut) {
        auto all = settings;
        all.emplace_back ("variant", variant);
        if (variant == std::string_view ("opencl"))
          cut.device = &first_device ();
        return run_task (*make_task (node, all), {&in}, cut);
      };
      const auto whole = at ("opencl", {});
      check_same (whole, at ("native", {}), tolerance);
      if (small)
        continue;
      same_bytes (at ("opencl", {.rows = 3, .angles = 2}), whole);
      if (format.kind () == Kind::sinograms && make_task (node)->takes_lanes ())
        same_bytes (at ("opencl", {.rows = 4, .lanes = 4}), whole);
    }
}

const std::vector all{Kind::projections, Kind::sinograms, Kind::slices}, images{Kind::projections, Kind::slices};

void test_copies ()
{
  check ("pad", {{"left", "3"}, {"right", "40"}, {"mode", "zero"}}, all, 0);
  check ("pad", {{"left", "90"}, {"top", "2"}, {"bottom", "30"}, {"mode", "reflect"}}, images, 0);
  check ("crop", {{"x", "5"}, {"width", "21"}, {"y", "2"}, {"height", "6"}}, all, 0);
  check ("flip", {}, all, 0);
  check ("flip", {{"direction", "vertical"}}, images, 0);
}

void test_transposed ()
{
  check ("transpose", {}, images, 0);
}

void test_binned ()
{
  check ("bin", {}, all, 0);
  check ("bin", {{"columns", "7"}, {"rows", "3"}, {"value", "sum"}}, images, 0);
}

constexpr double computed = 1e-6; // some roundings of float32

// The simulator takes 20 s for cubic ones.
std::vector<const char *> interpolations ()
{
  return small && !thorough () ? std::vector{"linear"} : std::vector{"linear", "cubic"};
}

void test_shifted ()
{
  Files files;
  std::string one, both;
  for (int i = 0; i < 5; i++)
    both += text ("%g %g\n", 3.7 * i - 40.2, 1.3 - 0.9 * i);
  for (int i = 0; i < 9; i++)
    one += text ("%g\n", 2.6 * i - 9.1);
  const auto each = files.with ("both.txt", both), rows = files.with ("one.txt", one);
  for (const char *interpolation : interpolations ()) {
    check ("shift", {{"dx", "2.25"}, {"dy", "-1.5"}, {"interpolation", interpolation}}, images, computed);
    check ("shift", {{"dx", "-0.7"}, {"interpolation", interpolation}}, all, computed);
    check ("shift", {{"file", each}, {"interpolation", interpolation}}, {Kind::projections}, computed);
    check ("shift", {{"file", rows}, {"interpolation", interpolation}}, {Kind::sinograms}, computed);
  }
  check ("shift", {{"dx", "3"}, {"dy", "-2"}}, images, 0);
}

void test_rotated ()
{
  const std::vector<const char *> each{"linear", "cubic"};
  for (const char *interpolation : small ? drawn (each, 2) : each)
    check ("rotate", {{"angle", "33.3"}, {"interpolation", interpolation}}, images, computed);
}

void test_undistorted ()
{
  Files files;
  const auto lens = files.with ("lens.txt", "xcenter = 33.2\nycenter = 4.6\nfactor0 = 1.02\nfactor1 = 1e-3\n");
  for (const char *interpolation : {"linear", "cubic"})
    check ("undistort", {{"file", lens}, {"interpolation", interpolation}}, {Kind::projections}, computed);
}

// Trials have tables of a few rows only, so that these come in parts, as those of large images do.
void test_parts ()
{
  const auto task = make_task ("rotate");
  const auto &family = task->kernels ()->family ();
  auto problem = family.usual;
  for (const int interpolation : {0, 1}) {
    problem.words["interpolation"] = interpolation;
    for (const auto &kernel : family.kernels) {
      const auto &group = kernel.parameters[0];
      const families::Setting setting{&kernel, {{group.name, group.values[0]}}};
      g_assert_cmpfloat (family.trial (first_device (), setting, problem), <=, family.most_error);
    }
  }
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/moving/opencl/copies", test_copies);
    g_test_add_func ("/moving/opencl/transposed", test_transposed);
    g_test_add_func ("/moving/opencl/binned", test_binned);
    g_test_add_func ("/moving/opencl/shifted", test_shifted);
    g_test_add_func ("/moving/opencl/rotated", test_rotated);
    if (small)
      return;
    g_test_add_func ("/moving/opencl/undistorted", test_undistorted);
    g_test_add_func ("/moving/opencl/parts", test_parts);
  });
}

} // namespace sino::test::moving_opencl_test
