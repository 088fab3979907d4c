// SPDX-License-Identifier: LGPL-3.0-or-later
// Plans predict by what earlier runs have measured on the device. PoCL is declared to be GPUs, and a node tells how
// long its kernel takes. Takes a second.
#include "base/variant.hpp"
#include "families/findings.hpp"
#include "families/time-ratio.hpp"
#include "glue/facets.hpp"
#include "glue/timed.hpp"
#include "plan/plan.hpp"
#include "run/run.hpp"
#include "tests/support/nodes.hpp"
#include "tests/unit/declared-device.hpp"
#include <cmath>
#include <filesystem>
#include <fstream>

namespace sino::test::time_ratios_test {

namespace {

namespace fs = std::filesystem;
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Gpu final : OpenclDevice {
  std::string driver;
  double memory;
  explicit Gpu (std::string d = "1.0", double m = plenty)
      : OpenclDevice (0, opencl_devices ()[0]->device), driver (std::move (d)), memory (m)
  {
    is_gpu = true;
    shares_host_memory = false;
  }
  double own_memory () const override { return memory; }
  std::string identity () const override { return OpenclDevice::identity () + driver; }
};

using List = std::vector<std::shared_ptr<const Device>>;

// Made at its first use, so that other tests of this program load no driver.
const List &gpu ()
{
  static const List one{std::make_shared<Gpu> ()};
  return one;
}

RunOptions options_on (const List &devices)
{
  RunOptions o;
  o.threads = 2;
  o.devices = devices;
  return o;
}

// Two nodes whose kernels differ, so that each has its own ratio.
std::vector<std::string> chain (double predicted, double taken, const char *other = "")
{
  return {"scan test-scan angles=32 rows=64 columns=64",
          text ("first test-timed predicted=%g taken=%g", predicted, taken),
          text ("second test-timed variant=four predicted=3 %s", other),
          "keep test-keep",
          "scan -> first",
          "first -> second",
          "second -> keep"};
}

struct Times {
  double first, second, scan, ratio; // seconds of the stages, and the kept ratio of the first node
  std::string described;
};

Times planned (const List &devices, double predicted = 10)
{
  Run run (build (chain (predicted, 0)), options_on (devices));
  run.prepare ();
  Times times{0, 0, 0, 0, run.describe ()};
  const Facts plan (VariantPtr (run.plan_variant ()));
  for (const auto &pass : plan.list ("passes"))
    for (const auto &stage : pass.list ("stages")) {
      const auto node = stage.text ("node");
      (node == "first" ? times.first : node == "second" ? times.second : times.scan) += stage.number ("seconds");
      if (node == "first")
        times.ratio = stage.number ("time-ratio");
    }
  return times;
}

int64_t measure (const List &devices, double predicted, double taken, const char *other = "")
{
  Run run (build (chain (predicted, taken, other)), options_on (devices));
  run.execute ();
  for (const auto &task : run.statistics ().tasks)
    if (task.node == "first")
      return task.counters.at ("kernel-microseconds");
  return 0;
}

std::vector<fs::path> kept_files ()
{
  std::vector<fs::path> files;
  if (fs::exists (families::findings_folder ()))
    for (const auto &entry : fs::directory_iterator (families::findings_folder ()))
      if (entry.path ().filename ().string ().find ("time-of-test-timed") != std::string::npos)
        files.push_back (entry.path ());
  return files;
}

void forget ()
{
  for (const auto &path : kept_files ())
    fs::remove (path);
}

void expect_close (double a, double b)
{
  g_assert_cmpfloat (std::fabs (a - b), <, 0.01 * std::fabs (b)); // ratios are kept with three digits
}

// What a run measured is kept, and changes the expected time of this node alone.
void test_learned ()
{
  forget ();
  const auto before = planned (gpu ());
  g_assert_cmpfloat (before.ratio, ==, 0);
  g_assert_true (before.described.find ("predicted time") == std::string::npos);

  const auto microseconds = measure (gpu (), 10, 25);
  g_assert_cmpint (microseconds, >=, 25'000'000);
  g_assert_cmpuint (kept_files ().size (), ==, 1); // the other node's kernels took less than 0.2 s
  const auto ratio = 1e-7 * static_cast<double> (microseconds);
  const auto after = planned (gpu ());
  expect_close (after.ratio, ratio);
  expect_close (after.first - before.first, 10 * (ratio - 1));
  g_assert_cmpfloat (after.second, ==, before.second);
  g_assert_cmpfloat (after.scan, ==, before.scan);
  g_assert_true (after.described.find ("takes 2.5 of the predicted time, as measured before") != std::string::npos);

  // A second run compares with the same prediction, not with the corrected one.
  measure (gpu (), 100, 50);
  expect_close (planned (gpu ()).ratio, 0.5);
  measure (gpu (), 100, 52);
  expect_close (planned (gpu ()).ratio, 0.5); // what is within 10 % is not written again
  measure (gpu (), 1, 1000);
  expect_close (planned (gpu ()).ratio, 30);
  measure (gpu (), 1e6, 1);
  expect_close (planned (gpu ()).ratio, 1 / 30.0);
}

// Without its factor the prediction is what it was.
void test_forgotten ()
{
  forget ();
  const auto before = planned (gpu ());
  measure (gpu (), 10, 25);
  for (const auto &path : kept_files ())
    std::ofstream (path, std::ios::app) << "7";
  g_assert_cmpfloat (planned (gpu ()).first, ==, before.first);
  g_assert_cmpfloat (planned (gpu ()).ratio, ==, 0);
  measure (gpu (), 10, 25); // replaces it
  expect_close (planned (gpu ()).ratio, 2.5);
  for (const char *nonsense : {"fast", "nan", "-2", "0", ""}) {
    families::keep_sealed (kept_files ()[0], nonsense);
    g_assert_cmpfloat (planned (gpu ()).ratio, ==, 0);
  }
  forget ();
  g_assert_cmpfloat (planned (gpu ()).first, ==, before.first);
}

// Each driver has its own, and no device that is a processor, or works in the host's memory, has any.
void test_devices ()
{
  forget ();
  measure (gpu (), 10, 25);
  const List other{std::make_shared<Gpu> ("2.0")};
  g_assert_cmpfloat (planned (other).ratio, ==, 0);
  measure (other, 100, 50);
  expect_close (planned (other).ratio, 0.5);
  expect_close (planned (gpu ()).ratio, 2.5);

  forget ();
  for (const List &devices : {List{device_with (plenty)}, List{device_with (0)}, List{opencl_devices ()[0]}}) {
    measure (devices, 10, 25);
    g_assert_cmpuint (kept_files ().size (), ==, 0);
  }
  // Two devices share the work, and the times of both are added.
  measure ({std::make_shared<Gpu> (), std::make_shared<Gpu> ()}, 10, 25);
  expect_close (planned (gpu ()).ratio, 5);
}

// What is kept of a device can be listed: not of another driver, and nothing that is damaged.
void test_listed ()
{
  forget ();
  const auto listed = [] (const List &devices) { return families::kept_time_ratios (as_opencl (*devices[0])); };
  g_assert_true (listed (gpu ()).empty ());
  const List other{std::make_shared<Gpu> ("2.0")};
  measure (gpu (), 10, 25);
  measure (other, 10, 5);
  const auto all = listed (gpu ());
  g_assert_cmpuint (all.size (), ==, 1);
  g_assert_cmpstr (all[0].family.c_str (), ==, "test-timed");
  g_assert_cmpstr (all[0].kernel.c_str (), ==, "one");
  expect_close (all[0].ratio, 2.5);
  expect_close (listed (other)[0].ratio, 0.5);
  for (const auto &path : kept_files ())
    std::ofstream (path, std::ios::app) << "7";
  g_assert_true (listed (gpu ()).empty ());

  // A file without the name of its kernel, as earlier programs wrote it, is used, and written again.
  for (const auto &path : kept_files ())
    families::keep_sealed (path, "2.5");
  g_assert_true (listed (gpu ()).empty ());
  expect_close (planned (gpu ()).ratio, 2.5);
  measure (gpu (), 10, 25);
  g_assert_cmpuint (listed (gpu ()).size (), ==, 1);
}

// The device that is known to be slower by a factor of 900 gets no work item while the other one is at work.
void test_unlike_devices ()
{
  forget ();
  const List fast{std::make_shared<Gpu> ("fast")}, slow{std::make_shared<Gpu> ("slow", 2 * plenty)};
  measure (fast, 1e6, 1);
  measure (slow, 1, 1000);
  for (const List &devices : {List{slow[0], fast[0]}, List{fast[0], slow[0]}}) {
    Run run (build ({"scan test-scan angles=32 rows=64 columns=64", "first test-timed predicted=10", "keep test-keep",
                     "scan -> first", "first -> keep"}),
             options_on (devices));
    run.prepare ();
    g_assert_cmpuint (run.plan ().passes[0].items.size (), >, 1);
    run.execute ();
    const auto worked = run.statistics ().devices;
    g_assert_cmpint (worked[devices[0] == slow[0] ? 0 : 1].items, ==, 0);
  }
}

std::string path_of (const char *node, const Format &in, const Settings &settings, int lanes = 1)
{
  const auto task = make_task (node, settings);
  task->negotiate (std::vector{&in});
  return families::ratio_file (as_opencl (*gpu ()[0]), *task->kernels (), lanes).path;
}

// Whatever decides the speed of a kernel beside the scan has a ratio of its own.
void test_kernels ()
{
  Settings scan{{"width", "32"}, {"height", "8"}, {"projections", "16"}};
  const auto parallel = make_task ("simulate", scan)->negotiate ({});
  const auto sinograms = make_task ("interleave")->negotiate (std::vector{&parallel});
  const auto slices = [&] (const char *interpolation, int lanes) {
    return path_of ("back-project", sinograms, {{"variant", "reference"}, {"interpolation", interpolation}}, lanes);
  };
  g_assert_true (slices ("linear", 1) == slices ("linear", 1));
  g_assert_true (slices ("linear", 1) != slices ("linear", 4));
  g_assert_true (slices ("linear", 1) != slices ("nearest", 1));

  scan.insert (scan.end (), {{"source-origin", "100"}, {"origin-detector", "50"}});
  const auto cone = make_task ("simulate", scan)->negotiate ({});
  const auto adjoint = [&] (const char *parameters) {
    return path_of ("cone-back-project", cone,
                    {{"weights", "adjoint"}, {"variant", "gather"}, {"variant-parameters", parameters}});
  };
  g_assert_true (adjoint ("VIEWS=8") == adjoint ("VIEWS=8"));
  g_assert_true (adjoint ("VIEWS=8") != adjoint ("VIEWS=4"));
}

// Runs that say nothing of a device's speed.
void test_not_learned ()
{
  forget ();
  measure (gpu (), 10, 0.05);                              // too short
  measure ({gpu ()[0], device_with (2 * plenty)}, 10, 25); // unlike devices
  g_assert_cmpuint (kept_files ().size (), ==, 0);
}

// Whether the time ratio of a node is kept on the GPU: the plan then says how long its kernels should take.
bool keeps_ratio (const char *node, const std::string &filter)
{
  Run run (build ({"scan simulate width=64 height=8 projections=96", "filter " + filter, "regroup interleave",
                   "keep test-keep", "scan -> filter", "filter -> regroup", "regroup -> keep"}),
           options_on (gpu ()));
  run.prepare ();
  const Facts plan (VariantPtr (run.plan_variant ()));
  const auto passes = plan.list ("passes");
  bool found = false, keeps = false;
  for (size_t p = 0; p < passes.size (); p++) {
    const auto stages = passes[p].list ("stages");
    for (size_t s = 0; s < stages.size (); s++)
      if (stages[s].text ("node") == node) {
        found = true;
        keeps = keeps || run.plan ().passes[p].expected.stages[s].kernels > 0;
      }
  }
  g_assert_true (found);
  return keeps;
}

// Asked directly, because choosing its kernel tries it for a minute.
bool iteration_is_timed (const char *tolerance)
{
  const auto scan = make_task ("simulate", {{"width", "64"}, {"height", "8"}, {"projections", "96"}})->negotiate ({});
  const auto sinograms = make_task ("interleave")->negotiate (std::vector{&scan});
  const auto task = make_task ("iterative-reconstruct", {{"tolerance", tolerance}});
  task->negotiate (std::vector{&sinograms});
  return facet<Timed> (*task).timed_by_kernels ();
}

// Nodes whose kernels do other work than was predicted.
void test_not_timed ()
{
  g_assert_true (keeps_ratio ("filter", "ramp-filter"));
  g_assert_false (keeps_ratio ("filter", "ramp-filter window=none")); // only copies
  g_assert_false (keeps_ratio ("regroup", "ramp-filter"));            // chooses by both numbers of lanes
  g_assert_true (iteration_is_timed ("0"));
  g_assert_false (iteration_is_timed ("0.01")); // may end before
}

// A file that cannot be written costs what would have been learned, and nothing else.
void test_not_written ()
{
  forget ();
  measure (gpu (), 10, 25);
  const auto path = kept_files ()[0];
  fs::remove (path);
  fs::create_directory (path);
  measure (gpu (), 10, 25);
  g_assert_true (fs::is_directory (path));
  g_assert_cmpfloat (planned (gpu ()).ratio, ==, 0);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (skips_without_opencl ())
    return 0;
  g_test_add_func ("/time-ratios/learned", test_learned);
  g_test_add_func ("/time-ratios/forgotten", test_forgotten);
  g_test_add_func ("/time-ratios/devices", test_devices);
  g_test_add_func ("/time-ratios/listed", test_listed);
  g_test_add_func ("/time-ratios/unlike-devices", test_unlike_devices);
  g_test_add_func ("/time-ratios/kernels", test_kernels);
  g_test_add_func ("/time-ratios/not-learned", test_not_learned);
  g_test_add_func ("/time-ratios/not-timed", test_not_timed);
  g_test_add_func ("/time-ratios/not-written", test_not_written);
  const int status = g_test_run ();
  forget (); // the folder is that of all tests
  return status;
}

} // namespace sino::test::time_ratios_test
