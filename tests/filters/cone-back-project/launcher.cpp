// SPDX-License-Identifier: LGPL-3.0-or-later
// How the launches of a work item are divided, which changes no bit: cone-back-project-launcher [small].
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "families/choice.hpp"
#include "filters/cone-back-project/opencl/family.hpp"
#include "tests/filters/cone-back-project/some-job.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <algorithm>
#include <cstring>
#include <glib.h>
#include <random>

namespace sino::test::cone_back_project_launcher_test {

using namespace cone_back_project;

namespace {

const OpenclDevice *device;
bool small = false;

// Slices of random projections in blocks of two, and how many bytes of voxels were read and written for them: for all,
// and when the first block had left.
struct Result {
  std::vector<float> slices;
  double voxel_bytes, at_first_block;
};

// `ahead`: seconds of kernels while blocks leave; `first`: slices of the first of two work items, an even number
Result run_alone (const OpenclDevice &on, const Job &job, const families::Setting &setting, double ahead = 0,
                  bool waits_idle = true, int64_t first = 0)
{
  const auto views = std::ssize (job.projections);
  const auto in = make_block (std::make_shared<const Format> (
                                  projections (Element::f32, {Axis::angle, views}, {Axis::row, 6}, {Axis::column, 9})),
                              {}, {{0, 6}, {0, views}});
  std::mt19937 random (5);
  for (int64_t i = 0; i < in.values (); i++)
    const_cast<Block &> (in).as<float> ()[i] = static_cast<float> (random () % 1000);
  const auto [corner, voxel, wide, high, deep] = job.volume;
  const auto format =
      std::make_shared<const Format> (slices (Element::f32, {Axis::z, deep}, {Axis::y, high}, {Axis::x, wide}));
  std::vector<Block> out;
  for (int64_t z = 0; z < deep; z += 2)
    out.push_back (make_block (format, {}, {{z, std::min<int64_t> (z + 2, deep)}, {0, 1}}));
  Bill bill;
  Launcher::memory (on, job, setting, {6, deep}, bill);
  Allotment memory (bill);
  const Monitor monitor;
  Launcher launcher (on, monitor, job, setting, memory);
  launcher.overlap = {ahead, waits_idle};
  Result result{};
  for (auto &block : out) {
    if (const auto z = block.rows ().begin; z == 0 || z == first) {
      launcher.begin ({z, z < first ? first : deep});
      launcher.add (in);
      launcher.end ();
    }
    launcher.deliver (block);
    if (result.at_first_block == 0)
      result.at_first_block = launcher.voxel_bytes ();
  }
  result.voxel_bytes = launcher.voxel_bytes ();
  for (const auto &block : out)
    result.slices.insert (result.slices.end (), block.as<float> (), block.as<float> () + block.values ());
  return result;
}

// A voxel is written, and but for the first time read, once for each group of projections: 8 bytes for VIEWS updates.
void test_traffic ()
{
  for (const int n : drawn<int> ({1, 4, 20}, 3)) {
    const auto result =
        run_alone (*device, some_job (40), families::parse_setting (family (), "buffer", text ("VIEWS=%d,Z=4", n)));
    const double updates = 7 * 7 * 5 * 40, groups = 40.0 / n;
    g_assert_cmpfloat (result.voxel_bytes / updates, ==, (8 * groups - 4) / 40);
  }
}

// A device with few images in an array, or with small buffers, has more launches of fewer views or slices.
void test_fallback ()
{
  const auto job = some_job (40);
  const auto image = families::parse_setting (family (), "image", "VIEWS=32"),
             buffer = families::parse_setting (family (), "buffer",
                                               small && !thorough () ? "VIEWS=32,WIDE=8,HIGH=4" : "VIEWS=32");
  const size_t projection = 6 * 9 * 4, slice = 7 * 7 * 4;
  const auto views = [&] (const auto &setting, const GroupRoom &room) {
    return views_at_once (setting, job, job.rows, room);
  };
  g_assert_cmpint (views (image, {1e9, 1 << 30, 2048}), ==, 32);
  g_assert_cmpint (views (image, {1e9, 1 << 30, 12}), ==, 12);
  g_assert_cmpint (views (buffer, {1e9, 1 << 30, 12}), ==, 32);
  g_assert_cmpint (views (buffer, {1e9, 5 * projection, 12}), ==, 5);
  g_assert_cmpint (views (buffer, {11 * projection, 1 << 30, 12}), ==, 5); // two groups of them
  g_assert_cmpint (views (buffer, {0, 1 << 30, 12}), ==, 1);
  g_assert_cmpint (views_at_once (buffer, job, job.rows / 2, {11 * projection, 1 << 30, 12}), ==, 11);
  g_assert_cmpint (views_at_once (image, some_job (3), job.rows, {1e9, 1 << 30, 2048}), ==, 3);
  OpenclFacts facts;
  facts.images = true;
  facts.image_width = facts.image_height = 8;
  same (families::refusal (image, problem_of (job), facts), "needs an image of 9 x 6, at most 8 x 8 are possible");

  OpenclDevice little (0, device->device);
  little.largest_buffer = 3 * slice;
  const auto whole = run_alone (*device, job, buffer), parts = run_alone (little, job, buffer);
  g_assert_true (whole.slices == parts.slices);
  g_assert_cmpfloat (parts.voxel_bytes, >, 8 * whole.voxel_bytes); // two projections at once
  little.largest_buffer = slice;                                   // blocks of two lie in two slabs
  g_assert_true (run_alone (little, job, buffer).slices == whole.slices);
  little.largest_buffer = slice - 1;
  g_assert_nonnull (strstr (message_of ([&] { run_alone (little, job, buffer); }).c_str (), "a slice needs a buffer"));
}

// A device with plenty of memory of its own adds the last groups to parts of the slices: to 6, in this case, of which
// the first leaves before kernels work on the last. Groups are full or not, and fewer or more than can wait.
void test_parts ()
{
  OpenclDevice pretended (0, device->device);
  pretended.shares_host_memory = false;
  const auto setting = families::parse_setting (family (), "buffer", "VIEWS=4,Z=1,WIDE=8,HIGH=4");
  for (const int64_t views : drawn<int64_t> ({80, 3, 6, 24, 29, 77}, 3)) {
    pretended.pins_our_pages = views % 2 != 0; // the host then waits before transfers
    auto job = some_job (views);
    job.volume = {{-4, -4, -4}, 1, 8, 8, 9}; // slices of 256 bytes
    const auto parts = run_alone (pretended, job, setting);
    const auto groups = static_cast<double> (divide_up (views, 4));
    if (groups > 1) // of the six parts, the first with three slices and one group of the second with two
      g_assert_cmpfloat (parts.voxel_bytes - parts.at_first_block, >=,
                         256 * (6 * 2 - 4) * (std::min (groups, 23.0) - 1));
    g_assert_true (run_alone (pretended, job, setting, 0.2, false).slices == parts.slices);
    g_assert_true (run_alone (*device, job, setting).slices == parts.slices);
    const auto late = 6.0 / 9 * std::min (23.0 * 4 / static_cast<double> (views), 1.0);
    g_assert_cmpfloat_with_epsilon (Launcher::share_late (pretended, job, setting), late, 1e-9);
    OpenclDevice sharing (0, device->device); // it has no memory of its own
    sharing.shares_host_memory = true;
    g_assert_cmpfloat (Launcher::share_late (sharing, job, setting), ==, 0);
  }
}

// Slices of any size are divided where the device lets parts of buffers begin.
void test_step ()
{
  OpenclDevice pretended (0, device->device);
  pretended.shares_host_memory = false;
  const auto alignment = int64_t{device->device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN> ()} / 8;
  const auto setting = families::parse_setting (family (), "buffer", "VIEWS=4,Z=4,WIDE=8,HIGH=4");
  for (const int64_t size : {8, 6, 7}) {
    auto job = some_job (20);
    job.volume = {{-3, -3, -3}, 1, size, size, 0};
    const auto step = Slabs::step_of (pretended, job.volume, 4);
    g_assert_cmpint (step % 4, ==, 0);
    g_assert_cmpint (step * size * size * 4 % alignment, ==, 0);
    for (int64_t less = 4; less < step; less += 4)
      g_assert_cmpint (less * size * size * 4 % alignment, !=, 0);
    job.volume.slices = step + 3;
    const auto whole = static_cast<double> (job.volume.slices);
    g_assert_cmpfloat_with_epsilon (Launcher::share_late (pretended, job, setting), 3 / whole, 1e-9);
    const auto parts = run_alone (pretended, job, setting);
    g_assert_true (parts.slices == run_alone (*device, job, setting).slices);
    g_assert_cmpfloat (parts.voxel_bytes, >, parts.at_first_block); // kernels run while blocks leave
    job.volume.slices = step;
    g_assert_cmpfloat (Launcher::share_late (pretended, job, setting), ==, 0);
  }
}

// Slices take the projections of their turn of a helix, also in parts, and those that take none are zero.
void test_turns ()
{
  OpenclDevice pretended (0, device->device);
  pretended.shares_host_memory = false;
  const auto setting = families::parse_setting (family (), "buffer", "VIEWS=4,Z=4,WIDE=8,HIGH=4");
  const int64_t views = small && !thorough () ? 20 : 60, half = views / 2;
  auto job = some_job (views);
  job.volume = {{-5, -5, -7.5}, 0.4, 8, 8, 9}; // where the detector sees it
  const auto all = run_alone (*device, job, setting).slices;
  const auto with = [&] (auto slices_of) {
    for (int64_t i = 0; auto &projection : job.projections)
      projection.slices = slices_of (i++);
    auto slices = run_alone (pretended, job, setting).slices;
    g_assert_true (run_alone (*device, job, setting).slices == slices);
    for (const bool waits : {true, false})
      g_assert_true (run_alone (pretended, job, setting, 0, waits, 4).slices == slices);
    return slices;
  };
  const auto lower = with ([] (int64_t) { return Interval{0, 4}; });
  // Positions count from another slice, so results differ by rounding.
  const auto precision = 1e-5F * *std::ranges::max_element (all);
  for (size_t i = 0; i < all.size (); i++)
    g_assert_cmpfloat_with_epsilon (lower[i], i < 4 * 64 ? all[i] : 0, precision);
  g_assert_true (std::all_of (lower.begin () + 4 * 64, lower.end (), [] (float value) { return value == 0; }));
  const auto both = with ([half] (int64_t i) { return i < half ? Interval{0, 5} : Interval{5, 9}; });
  const auto without = [&] (bool lower) { // the other views weigh nothing
    auto some = job;
    for (int64_t i = 0; auto &projection : some.projections) {
      projection.slices = Projection::every;
      projection.weight = (i++ < half) == lower ? 1 : 0;
    }
    return run_alone (*device, some, setting).slices;
  };
  const auto first = without (true), second = without (false);
  for (const auto *seen : {&first, &second})
    for (const int slice : {0, 4, 5, 8})
      g_assert_true (std::any_of (seen->begin () + slice * 64, seen->begin () + slice * 64 + 64,
                                  [] (float value) { return value > 0; }));
  for (size_t i = 0; i < all.size (); i++)
    g_assert_cmpfloat_with_epsilon (both[i], i < 5 * 64 ? first[i] : second[i], precision);
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    device = opencl_devices ().front ().get ();
    g_test_add_func ("/cone-back-project/launcher/traffic", test_traffic);
    g_test_add_func ("/cone-back-project/launcher/fallback", test_fallback);
    g_test_add_func ("/cone-back-project/launcher/parts", test_parts);
    g_test_add_func ("/cone-back-project/launcher/turns", test_turns);
    if (!small) // drivers check where parts begin, simulators do not
      g_test_add_func ("/cone-back-project/launcher/step", test_step);
  });
}

} // namespace sino::test::cone_back_project_launcher_test
