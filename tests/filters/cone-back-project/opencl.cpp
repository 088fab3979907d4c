// SPDX-License-Identifier: LGPL-3.0-or-later
// Every OpenCL kernel of cone-back-project against the definition in float64: each voxel is projected by the rays
// themselves, and each value weighed with its bilinear hat. cone-back-project-opencl [small] [DEVICE], which is a part
// of a name.
#include "base/error.hpp"
#include "families/choice.hpp"
#include "families/table.hpp"
#include "filters/cone-back-project/opencl/family.hpp"
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "tests/filters/back-project/truth.hpp"
#include "tests/filters/cone-back-project/scans.hpp"
#include "tests/filters/cone-back-project/truth.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/opencl-buffers.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <glib.h>

namespace sino::test::cone_back_project_opencl_test {

using namespace cone_back_project;

namespace {

const OpenclDevice *device;
bool small = false;

ScanSetup tilted ()
{
  auto setup = upright ();
  setup.yaw = 0.1, setup.pitch = -0.15, setup.roll = 0.2, setup.axis_tilt = 0.35;
  return setup;
}

double truth (const Array &in, const Box &box, int64_t i, int64_t j, int64_t k)
{
  const auto place = [&] (int64_t n, int64_t all) {
    return box.voxel * (static_cast<double> (n) + 0.5 - 0.5 * static_cast<double> (all));
  };
  const Vector voxel{place (i + box.x, box.size), place (j + box.y, box.size), place (k + box.z, box.slices)};
  double sum = 0;
  for (int64_t angle = 0; angle < in.format.angles (); angle++)
    sum += 2 * G_PI / static_cast<double> (in.format.angles ()) * seen (in, angle, voxel);
  return sum;
}

Array on_device (const Array &in, const Words &words, Cut cut = {})
{
  return run_on (*device, in, words, cut);
}

void check (const Scan &scan, const Box &box, const std::string &kernel, const std::string &parameters, Cut cut)
{
  const auto in = random_projections (scan);
  const auto out = on_device (in, words_of (box, kernel, parameters), cut);
  const auto width = box.size - box.x, height = box.size - box.y, depth = box.slices - box.z;
  RelativeError error;
  for (int64_t k = 0; k < depth; k++)
    for (int64_t j = 0; j < height; j++)
      for (int64_t i = 0; i < width; i++)
        error.add (static_cast<double> (out.as<float> ()[(k * height + j) * width + i]), truth (in, box, i, j, k));
  const double relative = error.value ();
  g_test_message ("%s(%s): %.2g", kernel.c_str (), parameters.c_str (), relative);
  if (!(relative < bar (kernel, *device)))
    g_error ("%s(%s) errs by %g", kernel.c_str (), parameters.c_str (), relative);
}

struct Case {
  const char *name;
  Scan scan;
  Box box;
  bool upright;
};

const std::vector<Case> &cases ()
{
  static const std::vector<Case> all{
      {"upright", {upright ()}, {19, 17, 0.8}, true},
      {"region off the axis", {upright ()}, {35, 23, 0.8, 17, 3, 5}, true},
      {"one slice", {upright ()}, {8, 1, 0.5}, true},
      {"one row", {changed (upright (), [] (auto &s) { s.row = 0.4; }), 21, 1}, {13, 5, 0.8}, true},
      {"lifted", {changed (upright (), [] (auto &s) { s.lift = 4; })}, {19, 33, 0.8}, true},
      {"parallel", {changed (upright (), [] (auto &s) { s.source_origin = 0; })}, {21, 9, 1.2}, true},
      {"flat voxels seen far apart",
       {changed (upright (), [] (auto &s) { s.pixel_height = 0.3; })},
       {9, 11, 0.8},
       true},
      {"tilted", {tilted ()}, {19, 17, 0.8}, false},
      {"laminography", {changed (tilted (), [] (auto &s) { s.source_origin = 0; })}, {15, 9, 1.2}, false},
      {"beyond the detector", {tilted ()}, {40, 37, 0.9}, false},
      {"simulated", {changed (upright (), [] (auto &s) { s.column = 5, s.row = 4; }), 5, 9, 11}, {7, 6, 1.6}, true}};
  return all;
}

const std::vector<std::string> kernels{"buffer", "image", "columns"};

// Of cases that want programs of their own, the number of the first one of a kernel; all kernels take turns.
size_t first_of (const std::string &kernel)
{
  return static_cast<size_t> (std::find (kernels.begin (), kernels.end (), kernel) - kernels.begin ());
}

// Whether tilted detectors are seen by the kernel with its usual parameters.
bool tilts (const std::string &kernel)
{
  return is_drawn (first_of (kernel), 2);
}

void test_kernel (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  const char *parameters = small && !thorough () ? "VIEWS=4,Z=4,WIDE=8,HIGH=2" : ""; // fewer items without a voxel
  size_t number = 0;
  for (const auto &each : cases ()) {
    if (small != (each.name == std::string_view ("simulated")))
      continue;
    if (!small && (kernel == "columns" ? !is_drawn (number++, 3) // a program for nearly each
                                       : !each.upright && !tilts (kernel)))
      continue;
    g_test_message ("%s", each.name);
    if (each.upright || kernel != "columns")
      check (each.scan, each.box, kernel, parameters, {0, 8});
    else
      g_assert_nonnull (strstr (
          message_of ([&] { on_device (random_projections (each.scan), words_of (each.box, kernel, "")); }).c_str (),
          "is for detectors parallel to the axis"));
  }
}

std::vector<ScanSetup> setups_of (const std::string &kernel)
{
  return kernel == "columns" ? std::vector{upright ()} : std::vector{upright (), tilted ()};
}

// Sides that divide nothing, groups of all sizes.
void test_parameters (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  auto number = first_of (kernel);
  for (const char *parameters : {"VIEWS=1,Z=1,WIDE=8,HIGH=1", "VIEWS=4,Z=4,WIDE=8,HIGH=2",
                                 "VIEWS=20,Z=16,WIDE=32,HIGH=4", "VIEWS=64,Z=32,WIDE=16,HIGH=8"})
    for (const auto &setup : setups_of (kernel)) {
      if (is_drawn (number, 20))
        check ({setup}, {19, 37, 0.8}, kernel, parameters, {0, 7});
      number += kernels.size ();
    }
}

// Work items, blocks and the number of views that are added at once change no bit.
void test_cuts (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  auto number = first_of (kernel);
  for (const auto &setup : setups_of (kernel)) {
    if (setup.roll != 0 && !tilts (kernel))
      continue;
    const auto in = random_projections ({setup});
    const Box box{19, 37, 0.8};
    const auto words = words_of (box, kernel, thorough () ? "VIEWS=8,Z=8,WIDE=8,HIGH=4" : "");
    const auto whole = on_device (in, words);
    for (const Cut cut : {Cut{3, 5}, Cut{11, 1}, Cut{0, 20}}) {
      const auto parts = on_device (in, words, cut);
      same_bytes (whole, parts);
    }
    if (is_drawn (number, 8)) {
      const auto other = on_device (in, words_of (box, kernel, "VIEWS=4,Z=16,WIDE=8,HIGH=4"), {5, 3});
      same_bytes (whole, other);
    }
    number += kernels.size ();
  }
}

void test_mask ()
{
  const auto in = random_projections ({upright ()});
  auto words = words_of ({19, 17, 0.8}, "buffer", "");
  const auto whole = on_device (in, words);
  words.emplace_back ("mask", "true");
  const auto masked = on_device (in, words, {5, 4});
  for (int64_t i = 0; i < 17 * 19 * 19; i++) {
    const auto x = static_cast<double> (i % 19 - 9), y = static_cast<double> (i / 19 % 19 - 9);
    g_assert_cmpfloat (masked.as<float> ()[i], ==, x * x + y * y > 9.5 * 9.5 ? 0 : whole.as<float> ()[i]);
  }
}

// PoCL as a GPU: of the table's choices for GPUs, accuracy=exact takes those with a small error. 4 s, for PoCL's
// compiler.
void test_accuracy ()
{
  OpenclDevice gpu (0, device->device);
  gpu.is_gpu = true;
  const auto problem = [] (bool is_tilted, int64_t accuracy) {
    Job job = some_job (4);
    if (is_tilted)
      for (size_t i = 0; const auto &view : views_of (tilted (), std::vector<double> (4, 0.5)))
        job.projections[i++].matrix = matrix_of (view);
    auto out = problem_of (job);
    out.words["accuracy"] = accuracy;
    return out;
  };
  const auto chosen = [&] (const OpenclDevice &on, const families::Problem &now, const char *variant = "auto") {
    return std::string (families::choose (on, family (), now, {variant, ""}).setting.kernel->name);
  };
  same (chosen (gpu, problem (false, 0)), "image");
  same (chosen (gpu, problem (false, 1)), "columns");
  same (chosen (gpu, problem (true, 0)), "image");
  same (chosen (gpu, problem (true, 1)), "buffer");
  same (chosen (*device, problem (false, 1)), "columns");
  same (chosen (gpu, problem (false, 1), "buffer"), "buffer");
  same (message_of ([&] { chosen (gpu, problem (false, 1), "image"); }),
        text ("variant=image contradicts accuracy=exact on %s (%s): its error is up to 0.00093, and accuracy=exact "
              "takes at most 1e-05: leave one of them out",
              gpu.id.c_str (), gpu.name.c_str ()));
  g_assert_nonnull (strstr (families::choose (gpu, family (), problem (false, 1)).rejected.at (0).c_str (),
                            "its error is up to 0.00093, and accuracy=exact takes at most 1e-05"));
  // Every kernel has a figure on every device, so none is left out for want of it.
  for (const auto *on : std::array{device, const_cast<const OpenclDevice *> (&gpu)})
    for (const auto &kernel : family ().kernels) {
      auto now = problem (false, 1);
      now.words["weights"] = kernel.name == std::string_view ("gather");
      const auto error = families::figures_of (family (), on->facts (), now, kernel).error;
      g_assert_true (error.has_value ());
      g_assert_true ((*error <= exact_error) == (kernel.name != std::string_view ("image")));
    }

  // The node: both words reach the choice, and the slices are those of the kernel that it names.
  const auto in = random_projections ({upright ()});
  const auto run = [&] (const Words &more) {
    Cut cut;
    cut.device = &gpu;
    Words words{{"size", "19"}, {"slices", "17"}, {"voxel-size", "0.8"}};
    words.insert (words.end (), more.begin (), more.end ());
    return run_task (*make_task ("cone-back-project", words), {&in}, cut).bytes;
  };
  const auto image = run ({{"variant", "image"}}), columns = run ({{"variant", "columns"}});
  g_assert_true (image != columns);
  g_assert_true (run ({}) == image);
  g_assert_true (run ({{"accuracy", "auto"}}) == image);
  g_assert_true (run ({{"accuracy", "fast"}}) == image);
  g_assert_true (run ({{"accuracy", "exact"}}) == columns);
  g_assert_nonnull (strstr (message_of ([&] {
                              run ({{"accuracy", "exact"}, {"variant", "image"}});
                            }).c_str (),
                            "variant=image contradicts accuracy=exact"));
}

// Plans expect the speed of the kernel that runs, by the figures in the table; of tilted adjoints a fifth.
void test_seconds ()
{
  OpenclDevice gpu (0, device->device);
  gpu.is_gpu = true;
  const auto seconds = [&] (const ScanSetup &setup, const Words &words) {
    const auto in = random_projections ({setup});
    const auto task = make_task ("cone-back-project", words);
    const Format *format = &in.format;
    task->negotiate ({&format, 1});
    return task->seconds (gpu, 1);
  };
  const auto ratio = [&] (const ScanSetup &setup, const Words &words, const ScanSetup &other, const Words &more) {
    return seconds (setup, words) / seconds (other, more);
  };
  const Words exact{{"accuracy", "exact"}}, adjoint{{"weights", "adjoint"}};
  const auto is = [] (double got, double wanted) { g_assert_cmpfloat (std::abs (got / wanted - 1), <, 1e-9); };
  is (ratio (upright (), exact, upright (), {}), 963.0 / 735);
  is (ratio (tilted (), exact, tilted (), {}), 963.0 / 392);
  is (ratio (upright (), adjoint, upright (), {}), 963.0 / 590);
  is (ratio (tilted (), adjoint, upright (), {}), 5 * 963.0 / 407);
}

void add (const char *name, void (*test) (const void *))
{
  for (const auto &kernel : kernels)
    g_test_add_data_func (text ("/cone-back-project/opencl/%s/%s", name, kernel.c_str ()).c_str (), kernel.c_str (),
                          test);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  std::string wanted;
  for (int i = 1; i < argc; i++)
    if (argv[i] == std::string_view ("small"))
      small = true;
    else
      wanted = argv[i];
  device = device_called (wanted);
  if (!device)
    return 0;
  add ("kernel", test_kernel);
  if (!small) {
    add ("parameters", test_parameters);
    add ("cuts", test_cuts);
    g_test_add_func ("/cone-back-project/opencl/mask", test_mask);
    g_test_add_func ("/cone-back-project/opencl/accuracy", test_accuracy);
    g_test_add_func ("/cone-back-project/opencl/seconds", test_seconds);
  }
  return g_test_run ();
}

} // namespace sino::test::cone_back_project_opencl_test
