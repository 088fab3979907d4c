// SPDX-License-Identifier: LGPL-3.0-or-later
// Whole runs on OpenCL devices: the same slices however blocks reach the device.
#include "device/opencl-memory.hpp"
#include "tests/core/scans.hpp"
#include "tests/unit/declared-device.hpp"
#include <cstring>

namespace sino::test::opencl_runs_test {

namespace {

std::vector<std::string> chain (const std::string &scan)
{
  return {"scan simulate " + scan, "filter ramp-filter", "regroup interleave", "slices back-project", "keep test-keep",
          "scan -> filter",        "filter -> regroup",  "regroup -> slices",  "slices -> keep"};
}

const std::vector<std::string> graph = chain ("object=shepp-logan-3d width=83 height=21 projections=40");

std::vector<std::byte> slices_on (const std::vector<std::shared_ptr<const Device>> &devices, double room = 0,
                                  const std::vector<std::string> &lines = graph)
{
  RunOptions o = options (room);
  o.devices = devices;
  if (room > 0)
    o.memory += allowance_of (devices) - allowance_of ({});
  execute (lines, o);
  return kept ().at ("result").bytes;
}

double difference (const std::vector<std::byte> &a, const std::vector<std::byte> &b)
{
  g_assert_cmpuint (a.size (), ==, b.size ());
  double squares = 0, errors = 0;
  for (size_t i = 0; i < a.size (); i += sizeof (float)) {
    float x = 0, y = 0;
    std::memcpy (&x, &a[i], sizeof x);
    std::memcpy (&y, &b[i], sizeof y);
    squares += static_cast<double> (x) * static_cast<double> (x);
    errors += static_cast<double> (x - y) * static_cast<double> (x - y);
  }
  return std::sqrt (errors / squares);
}

// The same slices, bit for bit, however blocks reach the device and however the work is cut; those of the CPU to 1e-5.
void test_runs ()
{
  const auto shared = slices_on ({device_with (0)});
  g_assert_cmpfloat (difference (slices_on ({native_device ()}), shared), <, 1e-5);
  const auto pinning = device_with (plenty);
  pinning->pins_our_pages = true;
  g_assert_true (slices_on ({pinning}) == shared);
  g_assert_true (slices_on ({device_with (plenty)}) == shared);
  g_assert_true (slices_on ({device_with (plenty)}, 3 * MiB) == shared);
  g_assert_true (slices_on ({device_with (0)}, 3 * MiB) == shared);
  g_assert_true (slices_on ({device_with (plenty), device_with (0)}) == shared);
}

// The same slices however a run uses its device, with memory of its own and without.
void test_use ()
{
  const auto usual = slices_on ({device_with (0)});
  const std::vector<std::function<void (DeviceUse &)>> changes{
      [] (DeviceUse &use) { use.pinned = false; }, [] (DeviceUse &use) { use.write_combined = true; },
      [] (DeviceUse &use) { use.overlap = false; }, [] (DeviceUse &use) { use.memory = 3e6; },
      [] (DeviceUse &use) { use = {.pinned = false, .write_combined = true, .overlap = false}; }};
  for (const auto &change : changes)
    for (const double own : {0.0, plenty}) {
      const auto device = device_with (own);
      change (device->use);
      g_assert_true (slices_on ({device}) == usual);
    }
  g_assert_cmpfloat (device_with (plenty)->room (), ==, 0.9 * plenty);
  g_assert_true (std::isinf (device_with (0)->room ()));
  g_assert_true (used_as ({device_with (0)}, {.memory = 5})[0]->room () == 5);
}

// Pages of the host that the device reaches count there as well, where its memory is bounded.
void test_bounded ()
{
  RunOptions o = options ();
  o.devices = {device_with (0)};
  o.use.memory = 1.5e6;
  Run run (build (graph), o);
  run.prepare ();
  const auto &pass = run.plan ().passes.at (0);
  g_assert_cmpfloat (pass.memory.device, >, 0);
  g_assert_cmpfloat (pass.memory.device, <=, 1.5e6);
  g_assert_cmpfloat (pass.memory.host, >, pass.memory.device);
  o.use.memory = 5e4;
  const auto what = error_of ([&] { Run (build (graph), o).prepare (); });
  g_assert_nonnull (strstr (what.c_str (), " more than --device-memory allows: raise --device-memory, "));
}

// Sinograms that another node wants as well, and slices of which it wants a part.
void test_two_consumers ()
{
  std::vector<std::string> lines = graph;
  for (const char *line : {"sinograms test-keep key=sinograms", "regroup -> sinograms"})
    lines.emplace_back (line);
  const auto shared = slices_on ({device_with (0)});
  g_assert_true (slices_on ({device_with (0)}, 0, lines) == shared);
  g_assert_true (slices_on ({device_with (plenty)}, 0, lines) == shared);
}

// Blocks are rounded to pages, of which small sinograms fill a part.
void test_small ()
{
  const auto lines = chain ("width=10 height=3 projections=13");
  for (const double own : {0.0, plenty})
    g_assert_cmpfloat (difference (slices_on ({device_with (own)}, 0, lines), slices_on ({native_device ()}, 0, lines)),
                       <, 1e-5);
}

void test_memory ()
{
  RunOptions o = options ();
  o.devices = {device_with (plenty)};
  Run run (build (graph), o);
  run.prepare ();
  const auto &pass = run.plan ().passes.at (0);
  g_assert_cmpfloat (pass.memory.device, >, 0);
  g_assert_cmpfloat (pass.memory.device, <, plenty);
  g_assert_nonnull (strstr (run.describe ().c_str (), "of the device's 954 MiB"));

  o.devices = {device_with (30000)};
  const auto what = error_of ([&] { Run (build (graph), o).prepare (); });
  g_assert_true (what.starts_with ("the smallest work item needs ")); // and how much
  g_assert_nonnull (strstr (what.c_str (), " more than a run may use of its memory: "));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (skips_without_opencl ())
    return 0;
  g_test_add_func ("/opencl-runs/runs", test_runs);
  g_test_add_func ("/opencl-runs/use", test_use);
  g_test_add_func ("/opencl-runs/bounded", test_bounded);
  g_test_add_func ("/opencl-runs/two-consumers", test_two_consumers);
  g_test_add_func ("/opencl-runs/small", test_small);
  g_test_add_func ("/opencl-runs/memory", test_memory);
  return g_test_run ();
}

} // namespace sino::test::opencl_runs_test
