// SPDX-License-Identifier: LGPL-3.0-or-later
// Plans of scans that are larger than any machine's memory. A plan touches no pixel, so these need neither the data nor
// the devices: PoCL is declared to be eight GPUs.
#include "device/opencl.hpp"
#include "tests/core/scans.hpp"
#include "tests/support/draw.hpp"
#include <chrono>
#include <cmath>
#include <ctime>
#include <numbers>

namespace sino::test::large_scan_test {

namespace {

constexpr double GB = 1e9;
constexpr int gpus = 8;

struct Gpu final : OpenclDevice {
  const double memory;
  explicit Gpu (int number, double bytes = 80 * GB)
      : OpenclDevice (number, opencl_devices ()[0]->device), memory (bytes)
  {
    is_gpu = true;
    shares_host_memory = false;
    largest_buffer = static_cast<size_t> (20 * GB);
  }
  double own_memory () const override { return memory; }
};

RunOptions machine ()
{
  RunOptions o;
  o.threads = 64;
  o.memory = 256 * GB;
  for (int i = 0; i < gpus; i++)
    o.devices.push_back (std::make_shared<Gpu> (i));
  return o;
}

// OpenCL's transforms for as many columns are built in half of the time.
std::string large_source ()
{
  return text ("source simulate width=%d height=10000 projections=10000 angles=0:360 source-origin=20000 "
               "origin-detector=20000",
               thorough () ? 10000 : 8192);
}

// Rows of a detector of 10,000 x 10,000 pixels, its magnification 2, that see voxels of size 1 of some slices of
// 4000^3: the heights of the voxels' middles, as seen from the nearest and the farthest corner.
Rows rows_seen (Rows slices)
{
  constexpr double source = 20000, detector = 40000, corner = 1999.5 * std::numbers::sqrt2, middle = 5000;
  double least = 1e9, most = -1e9;
  for (const auto z : {slices.begin, slices.end - 1})
    for (const double depth : {source - corner, source + corner}) {
      const double row = middle + (static_cast<double> (z) - 1999.5) * detector / depth;
      least = std::min (least, row);
      most = std::max (most, row);
    }
  return {static_cast<int64_t> (std::floor (least)), static_cast<int64_t> (std::ceil (most))};
}

// 4000^3 voxels from 10,000 projections of 100 megapixels: 64 gigavoxels from 4 TB of values, by 8 GPUs of 80 GB.
void test_hundred_megapixels ()
{
  Run run (build ({large_source (), "slices reconstruct size=4000 slices=4000 voxel-size=1", "keep test-keep",
                   "source -> slices", "slices -> keep"}),
           machine ());
  run.prepare ();
  if (g_test_verbose ())
    g_test_message ("%s", run.describe ().c_str ());
  const auto &plan = run.plan ();
  g_assert_cmpfloat (plan.peak, <, 16 * GB); // of the host: what is on its way
  g_assert_true (plan.stores.empty ());
  g_assert_cmpuint (plan.passes.size (), ==, 1);

  // One work item for each device: half of the memory for slices, room for two groups of projections and more.
  const auto &pass = plan.passes[0];
  g_assert_cmpuint (pass.items.size (), ==, gpus);
  const double slices = 512.0 * 4000 * 4000 * 4;
  g_assert_cmpfloat (pass.memory.device, >, slices);
  g_assert_cmpfloat (pass.memory.device, <, 0.9 * 80 * GB);

  // Each takes the rows that it sees, up to three more on either side.
  int64_t most = 0, all = 0;
  for (const auto &item : pass.items) {
    most = std::max (most, rows_seen (item.rows).size ());
    all += rows_seen (item.rows).size ();
  }
  g_assert_cmpint (pass.stages[0].sizes.item_rows, >=, most);
  g_assert_cmpint (pass.stages[0].sizes.item_rows, <=, most + 6);
  const double scan = pass.stages[0].format->bytes (), volume = slices / 512 * 4000; // moved three times, and once
  const double rows = 10000 * ((3 * scan + volume) * pass.cost.repeats - volume) / (3 * scan);
  g_assert_cmpfloat (rows, >=, static_cast<double> (all));
  g_assert_cmpfloat (rows, <=, static_cast<double> (all + 6 * gpus));
}

// 10,000^3 voxels, a teravoxel, from the same projections: slices are a share of each device's memory at a time.
void test_teravoxel ()
{
  const int slices = thorough () ? 10000 : 9600; // how many fill their work items
  const auto graph = build ({large_source (), text ("slices reconstruct size=10000 slices=%d voxel-size=0.4", slices),
                             "keep test-keep", "source -> slices", "slices -> keep"});
  const auto begin = std::chrono::steady_clock::now ();
  const auto cpu_before = std::clock ();
  Run run (graph, machine ());
  run.prepare ();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now () - begin;
  g_test_message ("planned in %.3f s, %.3f s of the processor", seconds.count (),
                  static_cast<double> (std::clock () - cpu_before) / CLOCKS_PER_SEC);
  if (g_test_verbose ())
    g_test_message ("%s", run.describe ().c_str ());
  const auto &plan = run.plan ();
  g_assert_cmpfloat (plan.peak, <, 256 * GB);
  for (const auto &pass : plan.passes) {
    g_assert_cmpfloat (pass.memory.device, <=, 0.9 * 80 * GB);
    g_assert_cmpfloat (pass.memory.device_excess, <=, 0);
  }

  // As many slices as fit, for each device the same number of work items: with one less of them they would not.
  const auto &pass = plan.passes.back ();
  const double slice = 1e8 * 4, all = 0.9 * 80 * GB;
  g_assert_cmpuint (pass.items.size () % gpus, ==, 0);
  g_assert_cmpfloat (slice * static_cast<double> (pass.sizes.item_rows), >, 0.5 * all);
  const auto fewer = static_cast<double> (pass.items.size () - gpus);
  g_assert_cmpfloat (slice * slices / fewer, >,
                     all - (pass.memory.device - slice * static_cast<double> (pass.sizes.item_rows)));
}

// 2048^3 on a GPU of 80 GB: with work items of four rows, as a small machine has them, files are read in pieces that
// are too small.
void test_ample_memory ()
{
  auto o = machine ();
  o.threads = 16;
  o.devices.resize (1);
  const auto plan_of = [] (const RunOptions &options) {
    Run run (
        build ({"source test-scan angles=2048 rows=2048 columns=2048 stored=true", "regroup interleave",
                "fold test-fold lanes=4", "keep test-keep", "source -> regroup", "regroup -> fold", "fold -> keep"}),
        options);
    run.prepare ();
    if (g_test_verbose ())
      g_test_message ("%s", run.describe ().c_str ());
    return run.plan ();
  };
  const auto ample = plan_of (o);
  g_assert_cmpuint (ample.passes.size (), ==, 1);
  const auto &pass = ample.passes[0];
  g_assert_cmpint (pass.plain.rows, ==, 4);
  g_assert_cmpint (pass.sizes.item_rows, >=, 32);
  g_assert_cmpint (pass.sizes.item_rows, <=, 256); // else hardly anything would overlap
  g_assert_cmpfloat (pass.expected.seconds, <, 0.5 * pass.plain.seconds);
  g_assert_cmpfloat (ample.peak, <, 8 * GB);
  g_assert_cmpfloat (pass.memory.device, <, 0.9 * 80 * GB);

  o.memory = ample.base + 200e6;
  const auto little = plan_of (o);
  g_assert_cmpfloat (little.peak, <=, o.memory);
  g_assert_cmpfloat (little.peak, <, ample.peak);
}

// Two and three GPUs get work items that keep all of them busy to the end, whatever number of them would suit one. So a
// pass that waits for kernels takes half and a third of the time, but for its first and its last work item: 11 work
// items on two GPUs would take 9 % more. Takes a second.
void test_rounds ()
{
  const auto pass_of = [] (size_t devices, int angles) {
    auto o = machine ();
    o.devices.resize (devices);
    Run run (build ({text ("source test-scan angles=%d rows=2048 columns=256 stored=true", angles),
                     "regroup interleave", "work test-timed predicted=100", "keep test-keep", "source -> regroup",
                     "regroup -> work", "work -> keep"}),
             o);
    run.prepare ();
    g_assert_cmpuint (run.plan ().passes.size (), ==, 1);
    return run.plan ().passes[0];
  };
  for (int angles = 260; angles < 700; angles += 40) {
    const auto alone = pass_of (1, angles).expected.seconds;
    for (const size_t devices : {2, 3}) {
      const auto pass = pass_of (devices, angles);
      g_test_message ("%d angles, %zu devices: %zu work items, %.3g of the time", angles, devices, pass.items.size (),
                      pass.expected.seconds / alone);
      if (pass.items.size () < 16 * devices)
        g_assert_cmpuint (pass.items.size () % devices, ==, 0);
      g_assert_cmpfloat (pass.expected.seconds * static_cast<double> (devices), <, 1.06 * alone);
    }
  }
}

// A GPU with memory for many groups of projections computes slices while others leave: few of them wait in the host's
// memory, also if they are written slowly. One that has memory for few groups gives all slices of a work item to the
// host.
void test_while_slices_leave ()
{
  const auto pass_of = [] (double memory) {
    auto o = machine ();
    o.threads = 16;
    o.devices = {std::make_shared<Gpu> (0, memory)};
    const auto *const source = "source simulate width=2048 height=2048 projections=1200 angles=0:360 "
                               "source-origin=4000 origin-detector=4000";
    Run run (build ({source, "slices reconstruct voxel-size=0.5", "out write path=none.h5", "source -> slices",
                     "slices -> out"}),
             o);
    run.prepare ();
    if (g_test_verbose ())
      g_test_message ("%s", run.describe ().c_str ());
    g_assert_cmpuint (run.plan ().passes.size (), ==, 1);
    return run.plan ().passes[0];
  };
  const auto few = pass_of (24 * GB), many = pass_of (80 * GB);
  const auto slices = [] (const Pass &pass) -> const StageSizes & {
    return pass.stages[pass.stages.size () - 2].sizes;
  };
  g_assert_cmpint (slices (few).pool, ==, slices (few).blocks);
  g_assert_cmpint (slices (many).pool, <, 32);
  g_assert_cmpint (many.stages.back ().sizes.requests, >=, 8);
  g_assert_cmpfloat (many.memory.host, <, 2 * GB);
  // The larger work items hold up neither the device nor the writer.
  g_assert_cmpuint (many.items.size (), <, few.items.size ());
  g_assert_cmpfloat (many.expected.ends, <, 1);
}

// The CPU computes slabs of 128 slices: with little memory, too, work items are whole ones.
void test_little_memory ()
{
  const auto o = options (900e6);
  const auto *const source = "source simulate width=1024 height=1024 projections=600 angles=0:360 source-origin=2048 "
                             "origin-detector=2048";
  Run run (
      build ({source, "slices reconstruct voxel-size=0.5", "keep test-keep", "source -> slices", "slices -> keep"}), o);
  run.prepare ();
  const auto &plan = run.plan ();
  g_assert_cmpfloat (plan.peak, <=, o.memory);
  g_assert_cmpuint (plan.passes.size (), ==, 1);
  g_assert_cmpint (plan.passes[0].sizes.item_rows, ==, 128);
  g_assert_cmpuint (plan.passes[0].items.size (), ==, 8);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/large-scan/little-memory", test_little_memory);
  if (!opencl_devices ().empty ()) {
    g_test_add_func ("/large-scan/hundred-megapixels", test_hundred_megapixels);
    g_test_add_func ("/large-scan/teravoxel", test_teravoxel);
    g_test_add_func ("/large-scan/ample-memory", test_ample_memory);
    g_test_add_func ("/large-scan/rounds", test_rounds);
    g_test_add_func ("/large-scan/while-slices-leave", test_while_slices_leave);
  }
  return g_test_run ();
}

} // namespace sino::test::large_scan_test
