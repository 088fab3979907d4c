// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterations on an OpenCL device: iterative-reconstruct-opencl [MODE] [PLATFORM]. MODE: few (cases, for programs take
// seconds to build), all, or small, for a simulator: stages alone, of the smallest images.
//
// The truth are the CPU's kernels, which have tests against plain loops in double.
#include "families/kernels.hpp"
#include "filters/iterative-reconstruct/opencl/family.hpp"
#include "filters/iterative-reconstruct/opencl/solved.hpp"
#include "filters/iterative-reconstruct/plan.hpp"
#include "kernels/iterate/iterated-stack.hpp"
#include "kernels/iterate/steps.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include <cmath>
#include <glib.h>
#include <numbers>
#include <random>

namespace sino::test::iterative_reconstruct_opencl_test {

namespace {

using namespace iterative_reconstruct;

std::string mode = "few", platform;

const OpenclDevice *find_device ()
{
  for (const auto &device : opencl_devices ())
    if (device->name.find (platform) != std::string::npos)
      return device.get ();
  return nullptr;
}

families::Setting setting_of (const OpenclDevice &device, const std::string &more = {})
{
  return families::parse_setting (family (), "opencl", (device.is_gpu ? "FFT=1" : "UNROLL=0,FFT=0") + more);
}

struct Setup {
  int64_t columns = 64, projections = 24;
  int rows = 3, lanes = 4, at_once = iterate::most_lanes;
  Method method = Method::tv;
  bool truncated = false, non_negative = true, mask = false;
  std::optional<double> noise = {};
  int iterations = 20;
  double tolerance = 0, pixel_size = 1;
  Roi roi = {};                // no width: all
  std::string parameters = {}; // of kernels, each after a comma
};

Problem problem_of (const Setup &setup)
{
  std::vector<Ray> rays;
  for (int64_t k = 0; k < setup.projections; k++) {
    const double angle = static_cast<double> (k) * std::numbers::pi / static_cast<double> (setup.projections);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (setup.columns) - 0.7,
                     std::numbers::pi_v<float> / static_cast<float> (setup.projections)});
  }
  auto problem = iterative_reconstruct::problem_of (setup.columns, setup.truncated, std::move (rays));
  problem.roi = setup.roi.width > 0 ? setup.roi : Roi{0, 0, setup.columns, setup.columns};
  problem.mask = setup.mask;
  problem.pixel_size = setup.pixel_size;
  problem.solving = {.method = setup.method,
                     .strengths = {1},
                     .noise = setup.noise,
                     .iterations = setup.iterations,
                     .tolerance = setup.tolerance,
                     .non_negative = setup.non_negative && setup.method == Method::tv};
  return problem;
}

// A disc for each row, with noise.
SomeRows rows_of (const Setup &setup)
{
  std::mt19937 random (5);
  SomeRows rows{.bins = {}, .lanes = setup.lanes, .rows = setup.rows};
  const auto columns = static_cast<double> (setup.columns);
  for (int64_t k = 0; k < setup.projections; k++)
    for (int64_t i = 0; i < setup.columns; i++)
      for (int lane = 0; lane < setup.lanes; lane++) {
        const double radius = (setup.truncated ? 0.6 : 0.3) * columns / (1 + 0.2 * lane);
        const double at = static_cast<double> (i) + 0.5 - 0.5 * columns, square = radius * radius - at * at;
        const double noise = 0.02 * columns * (static_cast<double> (random ()) * 0x1p-32 - 0.5);
        rows.bins.push_back (
            static_cast<float> (lane < setup.rows ? 2 * std::sqrt (std::max (square, 0.0)) + noise : 0));
      }
  return rows;
}

Solved on_device (const Setup &setup, const SomeRows &rows, const Problem &problem)
{
  const auto &device = *find_device ();
  Monitor monitor;
  return solve_on (device, setting_of (device, setup.parameters), problem, rows, monitor, setup.at_once);
}

// What the report at the end tells of iterations and noise, with as many digits as both have.
std::string told (const std::vector<std::string> &messages)
{
  const auto &last = messages.back ();
  return last.substr (0, last.find (" iterations")) + last.substr (last.find (" times"));
}

void check_like_native (const Setup &setup, double most)
{
  const auto problem = problem_of (setup);
  const auto rows = rows_of (setup);
  const auto got = on_device (setup, rows, problem), truth = solve_natively (problem, rows);
  double largest = 0, difference = 0;
  for (size_t row = 0; row < truth.slices.size (); row++)
    for (size_t i = 0; i < truth.slices[row].size (); i++) {
      const auto value = static_cast<double> (truth.slices[row][i]);
      largest = std::max (largest, std::abs (value));
      const double distance = std::abs (value - static_cast<double> (got.slices[row][i]));
      difference = std::isnan (distance) ? INFINITY : std::max (difference, distance);
    }
  g_test_message ("%d columns, %s: %.2g", static_cast<int> (setup.columns), setup.method == Method::tv ? "tv" : "cgls",
                  difference / largest);
  if (!(difference <= most * largest))
    g_error ("%d columns, %d rows: differs by %.3g of the largest value, not %.3g at most",
             static_cast<int> (setup.columns), setup.rows, difference / largest, most);
  same (told (got.messages), told (truth.messages));
}

void test_like_native ()
{
  const std::vector<Setup> setups{
      {.columns = 64, .projections = 40, .iterations = 40},
      {.columns = 192, .projections = 60, .rows = 2, .lanes = 2},                   // 2^6 3
      {.columns = 320, .projections = 60, .rows = 1, .lanes = 2, .iterations = 10}, // 2^6 5
      {.columns = 256, .projections = 60, .rows = 5, .lanes = 8, .iterations = 10}, // the radix 16 at both ends
      {.columns = 600, .projections = 40, .rows = 1, .lanes = 1, .iterations = 5}}; // 640 = 2^7 5
  for (size_t i = 0; i < setups.size (); i++)
    if (mode == "all" || is_drawn (i, 32))
      check_like_native (setups[i], 1e-4);
  check_like_native ({.rows = 3, .non_negative = false}, 1e-4);
  check_like_native ({.columns = 51, .truncated = true, .mask = true, .noise = 0.4, .roi = {3, 7, 31, 40}}, 1e-4);
  check_like_native ({.rows = 4, .iterations = 300, .tolerance = 3e-3, .pixel_size = 0.25}, 1e-4);
  // Conjugate gradients make roundings larger with each iteration.
  check_like_native ({.method = Method::cgls, .iterations = 4}, 1e-4);
  check_like_native ({.method = Method::cgls, .iterations = 60, .tolerance = 0.2}, 1e-4);
}

// Neither the rows beside a pair, nor lanes, nor how many slices are worked on at once change its bits.
void test_bits ()
{
  const Setup usual{.rows = 4, .iterations = 5};
  const auto problem = problem_of (usual);
  const auto rows = rows_of (usual);
  const auto expected = on_device (usual, rows, problem).slices;
  g_assert_true (on_device (usual, rows, problem).slices == expected);
  auto fewer = usual;
  fewer.at_once = 2;
  g_assert_true (on_device (fewer, rows, problem).slices == expected);
  if (mode == "all" || is_drawn (7, 32)) {
    auto cut = usual;
    cut.parameters = ",ROWS=2,COLUMNS=2,TOGETHER=8";
    g_assert_true (on_device (cut, rows, problem).slices == expected);
  }
  SomeRows pair{.bins = {}, .lanes = 2, .rows = 2};
  for (size_t i = 0; i < rows.bins.size (); i += 4)
    pair.bins.insert (pair.bins.end (), {rows.bins[i + 2], rows.bins[i + 3]});
  const auto alone = on_device (usual, pair, problem).slices;
  g_assert_true (alone[0] == expected[2] && alone[1] == expected[3]);
  auto solving = problem;
  solving.solving.method = Method::cgls;
  solving.solving.non_negative = false;
  g_assert_true (on_device (fewer, rows, solving).slices == on_device (usual, rows, solving).slices);
}

// A value that is not finite spoils its slice, and no other.
void test_broken_values ()
{
  const Setup setup{.rows = 4, .iterations = 5};
  const auto problem = problem_of (setup);
  auto rows = rows_of (setup);
  const auto expected = on_device (setup, rows, problem).slices;
  rows.bins[(7 * 64 + 11) * 4 + 1] = NAN;
  const auto slices = on_device (setup, rows, problem).slices;
  const auto largest = std::ranges::max (expected[0]);
  for (size_t row = 0; row < 4; row++)
    for (size_t i = 0; i < slices[row].size (); i++)
      g_assert_true (row == 1   ? std::isnan (slices[row][i])
                     : row == 0 ? std::abs (slices[row][i] - expected[row][i]) < 1e-5F * largest
                                : slices[row][i] == expected[row][i]);
}

void test_nothing ()
{
  const Setup setup{.rows = 2, .lanes = 2, .tolerance = 1e-3};
  auto rows = rows_of (setup);
  std::ranges::fill (rows.bins, 0.0F);
  for (const auto &slice : on_device (setup, rows, problem_of (setup)).slices)
    g_assert_true (std::ranges::all_of (slice, [] (float value) { return value == 0; }));
}

void test_cancelled ()
{
  const Setup setup;
  const auto &device = *find_device ();
  Monitor monitor;
  monitor.cancel ();
  g_assert_true (
      cancelled ([&] { solve_on (device, setting_of (device), problem_of (setup), rows_of (setup), monitor); }));
}

// A batch of images of noise, as iterations begin with them.
struct Batched {
  const OpenclDevice &device = *find_device ();
  const OpenclPlan plan;
  const families::Setting setting = setting_of (device);
  const Batch batch;
  const iterate::Plan normal;
  OpenclQueues queues{device};
  Bill bill;
  std::vector<float> start, data; // dense

  explicit Batched (const Problem &problem)
      : plan (problem), batch (batch_for (device, plan, setting, 2)), normal (made_for (problem))
  {
    memory (device, plan, batch, 2, bill);
    std::mt19937 random (9);
    for (auto *values : {&start, &data})
      for (int64_t i = 0; i < 2 * normal.n * normal.n; i++)
        values->push_back (static_cast<float> (random ()) * 0x1p-32F);
  }
  static iterate::Plan made_for (const Problem &problem)
  {
    const Monitor monitor;
    const Cpu cpu (1, monitor);
    return plan_of (problem, iterate::lags_of (problem.size, problem.rays, 4 * problem.size, cpu), cpu);
  }
  void put (const Images &images, const std::vector<float> &dense) const
  {
    queues.kernels.enqueueWriteBuffer (images.dense (), CL_TRUE, 0, dense.size () * sizeof (float), dense.data ());
  }
  std::vector<float> slices (Images &images) const
  {
    std::vector<float> values (start.size (), -1);
    const cl::Buffer out (device.context (), CL_MEM_READ_WRITE, values.size () * sizeof (float));
    images.unpack (0, 2, 0, out);
    queues.kernels.enqueueReadBuffer (out, CL_TRUE, 0, values.size () * sizeof (float), values.data ());
    return values;
  }
};

// Iterations of TV, of which the second slice is finished from the beginning.
void check_stages (int64_t columns, int iterations)
{
  const Setup setup{.columns = columns, .noise = 1, .iterations = iterations};
  const auto problem = problem_of (setup);
  const Batched batched (problem);
  Allotment memory (batched.bill);
  const auto lines = lines_for (problem.size, batched.device.facts (), batched.setting).value ();
  Images images (batched.device, batched.queues.kernels, batched.plan, lines, batched.batch, batched.normal, memory);
  images.clear_marks (0);
  batched.put (images, batched.data);
  images.pack_data (2, 0);
  batched.put (images, batched.start);
  images.pack_start (2, 0);
  images.set_factors (std::array{0.01F, -1.0F});
  images.begin_tv ();

  iterate::IteratedStack stack (batched.normal);
  const auto work = iterate::IteratedStack::allocate (stack.floats.work);
  const auto parts = [&] (int64_t count, const auto &body) {
    for (int64_t i = 0; i < count; i++)
      body (i, work.get ());
  };
  const auto pixels = static_cast<size_t> (problem.size * problem.size);
  const auto lanes = static_cast<size_t> (iterate::stack_lanes ());
  for (size_t i = 0; i < 2 * pixels; i++) {
    stack.memory.x[i % pixels * lanes + i / pixels] = batched.start[i];
    stack.memory.data[i % pixels * lanes + i / pixels] = batched.data[i];
  }
  iterate::TvSteps steps;
  steps.frozen = ~1U;
  std::ranges::fill (steps.lambda, 0.01F);
  std::ranges::fill (steps.sigma, iterate::dual_step);
  std::ranges::fill (steps.positive, iterate::positive_step);
  stack.begin_tv (parts);
  double sums[3][iterate::most_lanes] = {};
  for (int i = 0; i < iterations; i++) {
    images.lay_duals (iterate::positive_step);
    images.convolve ();
    images.lay_gradient ();
    images.divide ();
    images.update ();
    images.add_rows (1);
    int which = 0;
    stack.tv (parts, steps, [&] {
      add_sums (batched.normal, stack.memory, sums[which], sums[which + 1]);
      which++;
    });
  }
  const auto got = batched.slices (images);
  double largest = 0, difference = 0;
  for (size_t i = 0; i < 2 * pixels; i++) {
    const auto value = static_cast<double> (std::max (stack.memory.x[i % pixels * lanes + i / pixels], 0.0F));
    largest = std::max (largest, value);
    difference = std::max (difference, std::abs (value - static_cast<double> (got[i])));
  }
  g_test_message ("%d columns: %.2g", static_cast<int> (columns), difference / largest);
  // The sum over all pixels is the largest frequency, and rounds most.
  g_assert_cmpfloat (difference, <, 5e-8 * static_cast<double> (columns) * largest);

  Counters counters;
  Messages messages;
  Report report (messages, counters, problem);
  Progress progress (batched.queues, images, batched.batch, report);
  progress.next ();
  const auto found = progress.sums ();
  for (size_t sum = 0; sum < 3; sum++)
    for (size_t lane = 0; lane < 2; lane++)
      g_assert_cmpfloat (std::abs (found[sum][lane] - sums[sum][lane]), <=, 2e-5 * std::abs (sums[sum][lane]));
}

void test_stages ()
{
  if (mode == "small")
    return check_stages (64, 1);
  const std::vector<int64_t> sizes{64, 192, 320, 384, 512, 576, 640, 768, 1600};
  for (size_t i = 0; i < sizes.size (); i++)
    if (mode == "all" || is_drawn (i, 16) || i == 0)
      check_stages (sizes[i], 2);
}

// Groups of work-items have what the device can hold.
void test_lines ()
{
  OpenclFacts facts{.gpu = true, .local_memory = 48 << 10, .largest_group = 1024};
  const families::Setting setting{family ().kernels.data (), {}};
  for (int64_t size = 64; size <= 4096; size += 64)
    if (const auto lines = lines_for (size, facts, setting)) {
      const auto &plan = lines->plan;
      g_assert_cmpint (size % plan.lines, ==, 0);
      g_assert_cmpint (size % lines->columns, ==, 0);
      g_assert_cmpint (4 * lines->columns * lines->beside (), <=, 48 << 10);
      g_assert_cmpuint (plan.local_memory (), <=, size_t{48} << 10);
      g_assert_cmpint (plan.items * std::max (plan.lines, lines->columns), <=, 512);
    }
  const auto usual = lines_for (2048, facts, setting).value ();
  g_assert_cmpint (usual.columns, ==, 4);
  g_assert_cmpint (usual.plan.radices.front (), ==, usual.plan.radices.back ());
  facts.local_memory = 16 << 10;
  g_assert_false (lines_for (4096, facts, setting).has_value ());
  const families::Problem words{16, 16, {{"method", 0}, {"size", 4096}}};
  same (families::refusal (setting, words, facts), "a row of 4096 values does not fit in the local memory of a group");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (argc > 1)
    mode = argv[1];
  if (argc > 2)
    platform = argv[2];
  if (!find_device ()) {
    g_print ("1..0 # SKIP no OpenCL device\n");
    return 0;
  }
  g_test_add_func ("/iterative-reconstruct/opencl/stages", test_stages);
  if (mode == "small")
    return g_test_run ();
  g_test_add_func ("/iterative-reconstruct/opencl/lines", test_lines);
  g_test_add_func ("/iterative-reconstruct/opencl/like-native", test_like_native);
  g_test_add_func ("/iterative-reconstruct/opencl/bits", test_bits);
  g_test_add_func ("/iterative-reconstruct/opencl/broken-values", test_broken_values);
  g_test_add_func ("/iterative-reconstruct/opencl/nothing", test_nothing);
  g_test_add_func ("/iterative-reconstruct/opencl/cancelled", test_cancelled);
  return g_test_run ();
}

} // namespace sino::test::iterative_reconstruct_opencl_test
