// SPDX-License-Identifier: LGPL-3.0-or-later
// What iterations of tv take on an OpenCL device: iterate-opencl DEVICE N PROJECTIONS SLICES RUNS PARAMETERS. DEVICE is
// the place in the ICD loader's order; SLICES iterate at once; PARAMETERS are those of variant-parameters=.
// Milliseconds per slice of each stage, waited for, and the rate of the bytes that it must move; then of iterations in
// the queue without waiting, and of the start.
#include "device/cpu.hpp"
#include "families/kernels.hpp"
#include "filters/iterative-reconstruct/opencl/family.hpp"
#include "filters/iterative-reconstruct/opencl/images.hpp"
#include "filters/iterative-reconstruct/opencl/start.hpp"
#include "filters/iterative-reconstruct/plan.hpp"
#include "kernels/iterate/steps.hpp"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <thread>

using namespace sino;
using namespace sino::iterative_reconstruct;

namespace {

double now ()
{
  return std::chrono::duration<double> (std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

Problem made (int64_t columns, int64_t projections)
{
  std::vector<Ray> rays;
  for (int64_t i = 0; i < projections; i++) {
    const auto angle = std::numbers::pi * static_cast<double> (i) / static_cast<double> (projections);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (columns) - 0.5,
                     std::numbers::pi_v<float> / static_cast<float> (projections)});
  }
  auto problem = problem_of (columns, false, std::move (rays));
  problem.roi = {0, 0, columns, columns};
  problem.solving = {
      .method = Method::tv, .strengths = {1}, .noise = 1, .iterations = 20, .tolerance = 0, .non_negative = true};
  return problem;
}

// Images that a stage reads and writes, those in the circle and whole ones, and whole images of factors for all slices.
struct Stage {
  const char *name;
  double in_circle, whole, factors;
  void (*run) (Images &images);
};

constexpr Stage stages[] = {{"lay_duals", 8, 2, 0, [] (Images &images) { images.lay_duals (iterate::positive_step); }},
                            {"convolve", 0, 4, 4, [] (Images &images) { images.convolve (); }},
                            {"lay_gradient", 5, 3, 0, [] (Images &images) { images.lay_gradient (); }},
                            {"divide", 0, 2, 1, [] (Images &images) { images.divide (); }},
                            {"update", 3, 1, 0, [] (Images &images) { images.update (); }},
                            {"add_rows", 0, 0, 0, [] (Images &images) { images.add_rows (0); }}};

struct Bench {
  const OpenclDevice &device;
  const OpenclPlan &plan;
  const Batch &batch;
  const int runs;
  OpenclQueues queues{device};

  double per_slice (double seconds) const { return 1e3 * seconds / runs / batch.slices; }

  void iterate (Images &images) const
  {
    const auto n = static_cast<double> (plan.problem.size), radius = plan.problem.radius ();
    const double whole = 4 * n * n, circle = 4 * std::numbers::pi * radius * radius;
    double all = 0;
    for (const auto &stage : stages) {
      stage.run (images); // warms up
      queues.kernels.finish ();
      const double begin = now ();
      for (int i = 0; i < runs; i++) {
        stage.run (images);
        queues.kernels.finish ();
      }
      const double spent = now () - begin;
      const double bytes = stage.in_circle * circle + (stage.whole + stage.factors / batch.slices) * whole;
      all += bytes;
      std::printf ("%-12s %.3g ms per slice, %.3g GB/s\n", stage.name, per_slice (spent),
                   1e-6 * bytes / per_slice (spent));
    }
    const double begin = now ();
    for (int i = 0; i < runs; i++)
      for (const auto &stage : stages)
        stage.run (images);
    queues.kernels.finish ();
    const double spent = per_slice (now () - begin);
    std::printf ("%-12s %.3g ms per slice, %.3g GB/s\n", "iteration", spent, 1e-6 * all / spent);
  }

  void grid (DeviceStart &start, const cl::Buffer &bins, Images &images) const
  {
    const auto both = [&] {
      start.adjoint (bins, images.dense (), 0, batch.slices);
      images.pack_data (batch.slices, 0);
      start.filtered (bins, images.dense (), 0, batch.slices);
      images.pack_start (batch.slices, 0);
      images.begin_tv ();
      queues.kernels.finish ();
    };
    both ();
    const double begin = now ();
    for (int i = 0; i < runs; i++)
      both ();
    std::printf ("%-12s %.3g ms per slice\n", "start", per_slice (now () - begin));
  }
};

int measure (const OpenclDevice &device, const OpenclPlan &plan, const families::Setting &setting, int slices, int runs)
{
  const auto &problem = plan.problem;
  const auto batch = batch_for (device, plan, setting, slices);
  const auto lines = lines_for (problem.size, device.facts (), setting);
  if (!lines)
    return 77;
  Bill bill;
  memory (device, plan, batch, batch.slices, bill);
  Allotment allotment (bill);
  std::printf (
      "%s: %d slices of %d x %d at once, %.3g MB; %d work-items for a line, %d rows or %d columns in a group\n",
      device.name.c_str (), batch.slices, static_cast<int> (problem.size), static_cast<int> (problem.size),
      1e-6 * static_cast<double> (total (bill)), lines->plan.items, lines->plan.lines, lines->columns);
  const Monitor monitor;
  const Cpu cpu (static_cast<int> (std::thread::hardware_concurrency ()), monitor);
  double begin = now ();
  const auto lags = iterate::lags_of (problem.size, problem.rays, plan.gridding->gridding.padded, cpu);
  const auto normal = plan_of (problem, lags, cpu);
  std::printf ("T and its metric in %.3g s", now () - begin);
  begin = now ();
  Bench bench{.device = device, .plan = plan, .batch = batch, .runs = runs};
  DeviceStart start ({.device = device,
                      .monitor = monitor,
                      .plan = plan.gridding,
                      .lanes = batch.slices,
                      .batches = batch.gridding,
                      .setting = gridding_setting (setting, batch.slices),
                      .memory = allotment},
                     bench.queues, responses_of (problem, plan.gridding->gridding, cpu));
  Images images (device, bench.queues.kernels, plan, *lines, batch, normal, allotment);
  std::printf (", kernels and tables in %.3g s\n", now () - begin);
  const cl::Buffer bins (device.context (), CL_MEM_READ_WRITE, plan.bins (batch.slices));
  bench.queues.kernels.enqueueFillBuffer (bins, cl_float{1}, 0, plan.bins (batch.slices));
  images.clear_marks (0);
  bench.grid (start, bins, images);
  images.set_factors (std::vector<float> (static_cast<size_t> (batch.slices), 0.01F));
  bench.iterate (images);
  return 0;
}

} // namespace

int main (int argc, char **argv)
{
  const auto argument = [&] (int i, int usual) { return argc > i ? std::atoi (argv[i]) : usual; };
  try {
    const auto number = static_cast<size_t> (argument (1, 0));
    if (number >= opencl_devices ().size ())
      return 77;
    const auto &device = *opencl_devices ()[number];
    const OpenclPlan plan (made (argument (2, 1024), argument (3, 1000)));
    const auto setting = families::parse_setting (family (), "opencl",
                                                  argc > 6        ? argv[6]
                                                  : device.is_gpu ? ""
                                                                  : "UNROLL=0,FFT=0");
    return device.attempt ([&] { return measure (device, plan, setting, argument (4, 16), argument (5, 5)); });
  } catch (const Error &error) {
    std::fprintf (stderr, "%s\n", error.what ());
    return 1;
  }
}
