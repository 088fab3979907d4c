// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of forward-project against sums of rays in float64, and against the CPU. 5 s, of which 3 s are for
// PoCL's compiler. forward-project-opencl [DEVICE], which is a part of a name.
#include "base/error.hpp"
#include "base/text.hpp"
#include "families/kernels.hpp"
#include "filters/forward-project/opencl/family.hpp"
#include "filters/forward-project/opencl/launcher.hpp"
#include "kernels/forward-project/joseph.hpp"
#include "tests/filters/forward-project/cases.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace sino::test::forward_project_opencl_test {

using namespace forward_project;
using namespace forward_project_test;

namespace {

const OpenclDevice *device;

const std::vector<std::string> kernels{"buffer", "image"};

// Parameters that PoCL runs fast.
const char *const small = "VIEWS=4,WIDE=8,HIGH=4";

Array on_device (const Array &x, const Words &words, const std::string &kernel, const char *parameters, Cut cut = {})
{
  cut.device = device;
  return run_task (
      *make_task ("forward-project", words + Words{{"variant", kernel}, {"variant-parameters", parameters}}), {&x},
      cut);
}

// Texture engines weigh with 8 bits, which costs random values more than a scan; simulators of them do not.
double bar (const std::string &kernel)
{
  return kernel == "image" ? (device->is_gpu ? 6e-3 : 4e-4) : 1e-6;
}

// Root mean square difference, relative to that of the second.
double difference (const Array &a, const Array &b)
{
  double error = 0;
  for (size_t i = 0; i < a.bytes.size () / sizeof (float); i++)
    error += std::pow (static_cast<double> (a.as<float> ()[i]) - static_cast<double> (b.as<float> ()[i]), 2);
  return std::sqrt (error / product (b, b));
}

// Every geometry, with regions, several rays in a pixel, and few: the CPU's own vectors err by 1e-6.
void test_native (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  for (const auto &scan : scans ())
    for (const auto &box : boxes) {
      const auto x = random_volume (box);
      const auto words = scan.words + box.whole ();
      const auto wanted = run_task (*make_task ("forward-project", words), {&x});
      const double error = difference (on_device (x, words, kernel, small, {7, 4}), wanted);
      g_test_message ("%s, voxels of %s: %.2g", scan.name, box.voxel, error);
      g_assert_cmpfloat (product (wanted, wanted), >, 0);
      g_assert_cmpfloat (error, <, kernel == "image" ? bar (kernel) : 4e-6);
    }
}

Array random_slices (int64_t columns, int64_t lines, int64_t count)
{
  Array x{slices (Element::f32, {Axis::z, count}, {Axis::y, lines}, {Axis::x, columns}), {}};
  x.format.geometry = std::make_shared<const Geometry> ();
  fill_random (x, 11);
  return x;
}

struct Alone {
  const Array &x;
  Volume volume;
  std::vector<Detector> detectors;
  int64_t rows;

  Job job () const { return {volume, detectors}; }

  // Projections of a launcher without a node, from slices in blocks of `together`.
  Array run (const OpenclDevice &on, const families::Setting &setting, int64_t together) const
  {
    const auto angles = std::ssize (detectors);
    Array y{projections (Element::f32, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, detectors[0].columns}),
            {}};
    y.bytes.resize (static_cast<size_t> (y.format.bytes ()));
    const auto from = std::make_shared<const Format> (x.format), to = std::make_shared<const Format> (y.format);
    Block out = make_block (to, {}, {{0, rows}, {0, angles}});
    const auto slice = static_cast<size_t> (volume.columns * volume.lines) * sizeof (float);
    Bill bill;
    Launcher::memory (on, job (), setting, {rows, volume.slices, slice * static_cast<size_t> (together), out.bytes ()},
                      bill);
    Allotment memory (bill);
    const Monitor monitor;
    Launcher launcher (on, monitor, job (), setting, memory);
    launcher.begin ({0, rows}, {0, volume.slices});
    for (int64_t z = 0; z < volume.slices; z += together) {
      Block in = make_block (from, {}, {{z, std::min (z + together, volume.slices)}, {0, 1}});
      std::memcpy (in.data (), x.bytes.data () + static_cast<size_t> (z) * slice, in.bytes ());
      launcher.add (in);
    }
    launcher.end ();
    launcher.deliver (out);
    std::memcpy (y.bytes.data (), out.data (), out.bytes ());
    return y;
  }

  Array truth () const
  {
    Array y{projections (Element::f32, {Axis::angle, std::ssize (detectors)}, {Axis::row, rows},
                         {Axis::column, detectors[0].columns}),
            {}};
    y.bytes.resize (static_cast<size_t> (y.format.bytes ()));
    auto *pixel = y.as<float> ();
    Rays rays;
    for (const auto &each : detectors)
      for (int64_t row = 0; row < rows; row++, pixel += each.columns) {
        std::vector<double> sums (static_cast<size_t> (each.columns));
        find_rays (volume, each, row, rays);
        for (int64_t i = 0; i < rays.size (); i++)
          for (int64_t z = 0; z < volume.slices && i % rays.stride < rays.line; z++)
            sums[static_cast<size_t> (i % rays.stride / each.across)] +=
                rays.at (i).length / (each.across * each.down) *
                gathered (volume, z, x.as<float> () + z * volume.columns * volume.lines, rays.at (i));
        std::ranges::transform (sums, pixel, [] (double sum) { return static_cast<float> (sum); });
      }
    return y;
  }
};

Alone some (const Array &x, const Volume &volume, const ScanSetup &setup, int64_t views, int64_t columns)
{
  Alone alone{x, volume, {}, 21};
  std::vector<double> angles;
  for (int64_t i = 0; i < views; i++)
    angles.push_back (0.3 + 2 * G_PI * static_cast<double> (i) / static_cast<double> (views));
  for (const auto &view : views_of (setup, angles))
    alone.detectors.push_back (detector_of (view, columns, volume));
  return alone;
}

ScanSetup cone ()
{
  return {
      .source_origin = 900, .origin_detector = 400, .pixel_width = 7, .pixel_height = 3, .column = 33.4, .row = 11.2};
}

ScanSetup tilted ()
{
  auto setup = cone ();
  setup.yaw = 0.1, setup.pitch = -0.15, setup.roll = 0.2, setup.axis_tilt = 0.9, setup.lift = 9;
  return setup;
}

// Long rays: positions do not drift.
void test_truth (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  const Volume volume{{-170.2, -35, -9.7}, 0.9, 401, 71, 24};
  const auto x = random_slices (401, 71, 24);
  for (const auto &setup : {cone (), tilted ()}) {
    const auto alone = some (x, volume, setup, 9, 67);
    const auto setting = families::parse_setting (family (), kernel, small);
    const double error = difference (alone.run (*device, setting, 7), alone.truth ());
    g_test_message ("%s: %.2g", kernel.c_str (), error);
    g_assert_cmpfloat (error, <, bar (kernel));
  }
}

// Work items, blocks, parameters and slabs change no bit.
void test_cuts (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  const auto all = scans ();
  for (const auto &[scan, number] : {std::pair{0, 1}, {5, 2}, {7, 1}}) {
    const auto &box = boxes[number];
    const auto words = all[static_cast<size_t> (scan)].words + box.whole ();
    const auto x = random_volume (box);
    const auto whole = on_device (x, words, kernel, small);
    for (const Cut cut : {Cut{4, 3}, Cut{1, 10}})
      same_bytes (whole, on_device (x, words, kernel, small, cut));
  }
  const Volume volume{{-16.2, -15, -9.7}, 0.9, 37, 31, 24};
  const auto x = random_slices (37, 31, 24);
  for (const auto &setup : {cone (), tilted ()}) {
    const auto alone = some (x, volume, setup, 9, 67);
    const auto setting = families::parse_setting (family (), kernel, small);
    const auto whole = alone.run (*device, setting, 24);
    OpenclDevice little (0, device->device);
    const auto sums = alone.job ().rays (0, 21) * sizeof (float), slice = size_t{39} * 33 * sizeof (float);
    for (const size_t slices : {3, 8}) {
      little.largest_buffer = std::max (slices * slice, sums); // one or two views in a buffer
      same_bytes (whole, alone.run (little, setting, 5));
    }
    if (kernel == "buffer" || thorough ())
      same_bytes (whole, alone.run (*device, families::parse_setting (family (), kernel, "VIEWS=1,WIDE=16,HIGH=1"), 1));
  }
}

// A voxel that is not finite spoils the rays that read it, and no other.
void test_not_finite ()
{
  const Volume volume{{-16.2, -15, -9.7}, 0.9, 37, 31, 24};
  auto x = random_slices (37, 31, 24);
  const auto setting = families::parse_setting (family (), "buffer", small);
  const auto before = some (x, volume, cone (), 3, 67).run (*device, setting, 24);
  x.as<float> ()[(11 * 31 + 14) * 37 + 20] = NAN;
  const auto after = some (x, volume, cone (), 3, 67).run (*device, setting, 24);
  size_t spoilt = 0;
  const auto n = before.bytes.size () / sizeof (float);
  for (size_t i = 0; i < n; i++)
    if (std::isnan (after.as<float> ()[i]))
      spoilt++;
    else
      g_assert_cmpfloat (after.as<float> ()[i], ==, before.as<float> ()[i]);
  g_assert_cmpuint (spoilt, >=, 3);
  g_assert_cmpuint (spoilt, <, n / 50);
}

void test_errors ()
{
  const auto x = random_slices (37, 31, 24);
  const Volume volume{{-16.2, -15, -9.7}, 0.9, 37, 31, 24};
  const auto alone = some (x, volume, cone (), 9, 67);
  OpenclDevice little (0, device->device);
  little.largest_buffer = size_t{2} * 39 * 33 * sizeof (float) - 1;
  g_assert_nonnull (strstr (
      message_of ([&] { alone.run (little, families::parse_setting (family (), "buffer", small), 24); }).c_str (),
      "need a buffer of"));
  OpenclFacts facts;
  facts.images = true;
  facts.image_width = facts.image_height = 4096;
  families::Problem problem{1, 1, {{"steep", 0}, {"columns", 2049}, {"lines", 7}}};
  same (families::refusal (families::parse_setting (family (), "image", ""), problem, facts),
        "takes slices of up to 2048 voxels along x and y, here are 2049");
}

void add (const char *name, void (*test) (const void *))
{
  for (const auto &kernel : kernels)
    g_test_add_data_func (text ("/forward-project/opencl/%s/%s", name, kernel.c_str ()).c_str (), kernel.c_str (),
                          test);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  device = device_called (argc > 1 ? argv[1] : "");
  if (!device)
    return 0;
  add ("native", test_native);
  add ("truth", test_truth);
  add ("cuts", test_cuts);
  g_test_add_func ("/forward-project/opencl/not-finite", test_not_finite);
  g_test_add_func ("/forward-project/opencl/errors", test_errors);
  return g_test_run ();
}

} // namespace sino::test::forward_project_opencl_test
