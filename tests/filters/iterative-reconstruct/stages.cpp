// SPDX-License-Identifier: LGPL-3.0-or-later
// Stages of iterations on an OpenCL device: iterative-reconstruct-stages [MODE] [PLATFORM]. MODE: few (sizes, for
// programs take seconds to build), all, or small, for a simulator. The truth are the CPU's stages.
#include "filters/iterative-reconstruct/opencl/looks.hpp"
#include "filters/iterative-reconstruct/opencl/solver.hpp"
#include "filters/iterative-reconstruct/plan.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "kernels/iterate/iterated-stack.hpp"
#include "kernels/iterate/steps.hpp"
#include "tests/filters/iterative-reconstruct/on-device.hpp"
#include "tests/support/draw.hpp"
#include <cmath>
#include <glib.h>
#include <random>

namespace sino::test::iterative_reconstruct_stages_test {

namespace {

using namespace iterative_reconstruct;
using iterative_reconstruct::OpenclPlan, iterative_reconstruct::Problem,
    iterative_reconstruct::memory; // not those of others

std::string mode = "few", platform;

// A batch of images of noise, as iterations begin with them.
struct Batched {
  const OpenclDevice &device = *device_named (platform);
  const OpenclPlan plan;
  const families::Setting setting = iterated_setting (device);
  const Batch batch;
  const iterate::Plan normal;
  const Lines lines;
  OpenclQueues queues{device};
  Bill bill;
  std::vector<float> start, data; // dense

  explicit Batched (const Problem &problem)
      : plan (problem), batch (batch_for (device, plan, setting, 2)), normal (made_for (problem)),
        lines (lines_for (problem.size, device.facts (), setting).value ())
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

// The same images in a stack of the CPU.
struct Natively {
  iterate::IteratedStack stack;
  iterate::IteratedStack::Pages work;

  explicit Natively (const Batched &batched)
      : stack (batched.normal), work (iterate::IteratedStack::allocate (stack.floats.work))
  {
    fill (stack.memory.x, batched.start);
    fill (stack.memory.data, batched.data);
  }
  auto parts () const
  {
    return [this] (int64_t count, const auto &body) {
      for (int64_t i = 0; i < count; i++)
        body (i, work.get ());
    };
  }
  size_t pixels () const { return stack.floats.image / lanes (); }
  static size_t lanes () { return static_cast<size_t> (iterate::stack_lanes ()); }
  void fill (float *image, const std::vector<float> &dense) const
  {
    for (size_t i = 0; i < dense.size (); i++)
      image[i % pixels () * lanes () + i / pixels ()] = dense[i];
  }
  // `got`: dense. The sum over all pixels is the largest frequency, and rounds most.
  void compare (const std::vector<float> &got, float least) const
  {
    double largest = 0, difference = 0;
    for (size_t i = 0; i < got.size (); i++) {
      const auto value =
          static_cast<double> (std::max (stack.memory.x[i % pixels () * lanes () + i / pixels ()], least));
      largest = std::max (largest, std::abs (value));
      difference =
          std::isfinite (got[i]) ? std::max (difference, std::abs (value - static_cast<double> (got[i]))) : INFINITY;
    }
    g_test_message ("%d columns: %.2g", static_cast<int> (stack.plan.n), difference / largest);
    g_assert_cmpfloat (difference, <, 5e-8 * static_cast<double> (stack.plan.n) * largest);
  }
};

// What follows iterations of a batch.
struct Followed {
  Counters counters;
  Messages messages;
  Report report;
  Progress progress;

  Followed (const Batched &batched, const Images &images)
      : report (messages, counters, batched.plan.problem), progress (batched.queues, images, batched.batch, report)
  {
  }
};

// Iterations of TV, of which the second slice is finished from the beginning.
void check_tv (int64_t columns, int iterations)
{
  const Batched batched (iterated_problem ({.columns = columns, .noise = 1, .iterations = iterations}));
  Allotment memory (batched.bill);
  Images images (batched.device, batched.queues.kernels, batched.plan, batched.lines, batched.batch, batched.normal,
                 memory);
  Followed followed (batched, images);
  images.clear_marks (0);
  batched.put (images, batched.data);
  images.pack_data (2, 0);
  batched.put (images, batched.start);
  images.pack_start (2, 0);
  images.set_factors (std::array{0.01F, -1.0F});
  images.begin_tv ();

  Natively truth (batched);
  iterate::TvSteps steps;
  steps.frozen = ~1U;
  std::ranges::fill (steps.lambda, 0.01F);
  std::ranges::fill (steps.sigma, iterate::dual_step);
  std::ranges::fill (steps.positive, iterate::positive_step);
  truth.stack.begin_tv (truth.parts ());
  double sums[3][iterate::most_lanes] = {};
  for (int i = 0; i < iterations; i++) {
    images.lay_duals (iterate::positive_step);
    images.convolve ();
    images.lay_gradient ();
    images.divide ();
    images.update ();
    images.add_rows (followed.progress.next ());
    int which = 0;
    truth.stack.tv (truth.parts (), steps, [&] {
      add_sums (batched.normal, truth.stack.memory, sums[which], sums[which + 1]);
      which++;
    });
  }
  truth.compare (batched.slices (images), 0);
  const auto found = followed.progress.sums ();
  for (size_t sum = 0; sum < 3; sum++)
    for (size_t lane = 0; lane < 2; lane++)
      g_assert_cmpfloat (std::abs (found[sum][lane] - sums[sum][lane]), <=, 2e-5 * std::abs (sums[sum][lane]));
}

void check_cgls (int64_t columns, int iterations)
{
  const Batched batched (
      iterated_problem ({.columns = columns, .method = Method::cgls, .noise = 1, .iterations = iterations}));
  Allotment memory (batched.bill);
  Images images (batched.device, batched.queues.kernels, batched.plan, batched.lines, batched.batch, batched.normal,
                 memory);
  Followed followed (batched, images);
  images.clear_marks (0);
  batched.put (images, batched.data);
  images.pack_data (2, 0);
  const Monitor monitor;
  DeviceSolver solver (batched.plan, 1, monitor, images, followed.progress);
  const auto lanes = std::make_shared<Lanes> (Lanes{.used = 2});
  g_assert_cmpint (solver.run (lanes), ==, iterations);

  Natively truth (batched);
  std::fill_n (truth.stack.memory.x, truth.stack.floats.image, 0.0F);
  truth.stack.begin_cgls (truth.parts ());
  for (int i = 0; i <= iterations; i++) // the first one finds the residual
    truth.stack.cgls (truth.parts ());
  truth.compare (batched.slices (images), -INFINITY);
}

void test_iterations ()
{
  if (mode == "small") {
    check_tv (64, 1);
    return check_cgls (64, 1);
  }
  const std::vector<int64_t> sizes{64, 192, 320, 384, 512, 576, 640, 768, 1600};
  for (size_t i = 0; i < sizes.size (); i++)
    if (mode == "all" || is_drawn (i, 16) || i == 0) {
      check_tv (sizes[i], 2);
      check_cgls (sizes[i], 2);
    }
}

// Noise, squares and continued rows are those of the CPU.
void test_looks ()
{
  const IteratedSetup setup{.columns = 51, .truncated = true};
  const auto problem = iterated_problem (setup);
  auto rows = iterated_rows (setup);
  for (auto &value : rows.bins)
    value *= 0.02F; // attenuation that leaves some light
  const auto &device = *device_named (platform);
  const auto setting = iterated_setting (device);
  const OpenclPlan plan (problem);
  Bill bill;
  memory (device, plan, batch_for (device, plan, setting, rows.lanes), rows.lanes, bill);
  Allotment memory (bill);
  const OpenclQueues queues (device);
  Looks looks (device, queues, plan, lines_for (problem.size, device.facts (), setting).value (), rows.lanes, memory);
  const auto bytes = rows.bins.size () * sizeof (float);
  const cl::Buffer bins (device.context (), CL_MEM_READ_WRITE, bytes);
  queues.kernels.enqueueWriteBuffer (bins, CL_TRUE, 0, bytes, rows.bins.data ());
  std::vector<float> continued (rows.bins.size () / 51 * static_cast<size_t> (problem.size)),
      expected (continued.size ());
  queues.kernels.enqueueReadBuffer (looks.continued (bins), CL_TRUE, 0, continued.size () * sizeof (float),
                                    continued.data ());

  iterate::Sinograms sinograms{.values = rows.bins.data (),
                               .angles = setup.projections,
                               .columns = 51,
                               .stride = rows.lanes,
                               .lanes = rows.lanes};
  const Monitor monitor;
  const Cpu cpu (1, monitor);
  continue_rows (sinograms, problem.margin, problem.size, cpu, expected.data ());
  g_assert_true (continued == expected);
  const auto check = [&] (const std::vector<iterate::ValueNoise> &known) {
    sinograms.known = known;
    looks.look (bins, known);
    const auto truth = look (sinograms, problem, cpu), found = looks.known (1, 2);
    g_assert_cmpuint (found.from_flats, ==, truth.from_flats >> 1 & 3);
    for (size_t lane = 0; lane < 2; lane++) {
      g_assert_cmpfloat (truth.noise[lane + 1], >, 0);
      g_assert_cmpfloat (std::abs (found.noise[lane] / truth.noise[lane + 1] - 1), <, 1e-5);
      g_assert_cmpfloat (std::abs (found.square[lane] / truth.square[lane + 1] - 1), <, 1e-6);
    }
    return truth;
  };
  const auto differences = check ({});
  // Flats tell the noise if it is about that of the quietest rows, and not if it is far from it.
  for (const auto &[share, from_flats] : {std::pair{1.0, 0U}, {0.4, 6U}, {0.04, 0U}}) {
    std::vector<iterate::ValueNoise> known;
    for (size_t lane = 0; lane < static_cast<size_t> (rows.lanes); lane++) {
      const double variance = share * differences.noise[lane] * differences.noise[lane];
      known.push_back ({.photons = 0.5 * variance, .readout = 0.1 * variance, .mean = 0.2 * variance, .fine = 1});
    }
    g_assert_cmpuint (check (known).from_flats & 6, ==, from_flats);
  }
}

} // namespace

int run (int argc, char **argv)
{
  if (!begin_on_device (argc, argv, mode, platform))
    return 0;
  g_test_add_func ("/iterative-reconstruct/stages/iterations", test_iterations);
  g_test_add_func ("/iterative-reconstruct/stages/looks", test_looks);
  return g_test_run ();
}

} // namespace sino::test::iterative_reconstruct_stages_test
