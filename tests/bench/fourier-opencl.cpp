// SPDX-License-Identifier: LGPL-3.0-or-later
// What the stages of gridding take on an OpenCL device, each waited for: fourier-opencl DEVICE WIDTH LANES RUNS FFT
// HALVES. DEVICE is the place in the ICD loader's order; WIDTH also is the number of projections; FFT is 1 for our
// kernels, 0 for clFFT; HALVES is 1 for terms that are held as half.
#include "filters/fourier-reconstruct/opencl/family.hpp"
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "filters/fourier-reconstruct/opencl/reconstruction.hpp"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

using namespace sino;
using namespace sino::fourier_reconstruct;

namespace {

enum Stage { scale, lay, rows, weigh, spread, columns, gather, slices, stages };
constexpr const char *names[stages] = {"scale", "lay", "rows", "weigh", "spread", "columns", "gather", "slices"};

double now ()
{
  return std::chrono::duration<double> (std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

template <class Take> void in_parts (int64_t n, int64_t most, Take take)
{
  for (int64_t first = 0; first < n; first += most)
    take (Part{first, std::min (most, n - first)});
}

struct Bench {
  const cl::CommandQueue &queue;
  const OpenclPlan &plan;
  const Batches &batches;
  Stages &kernels;
  LineTransforms &transforms;
  double seconds[stages] = {};

  template <class Call> void time (Stage stage, Call call)
  {
    const double begin = now ();
    call ();
    queue.finish ();
    seconds[stage] += now () - begin;
  }

  void run (const cl::Buffer &in, const cl::Buffer &out, int lanes)
  {
    kernels.clear ();
    if (plan.job.halves)
      time (scale, [&] { kernels.scale (in, 0, lanes); });
    in_parts (std::ssize (plan.rays), batches.rays, [&] (const Part &part) {
      time (lay, [&] { kernels.lay (in, 0, lanes, part); });
      time (rows, [&] { transforms.rows (queue, kernels.lines ()); });
      time (weigh, [&] { kernels.weigh (part); });
    });
    in_parts (plan.gridding.grid, batches.columns, [&] (const Part &part) {
      const auto column = [&] (int64_t cell) {
        return static_cast<int64_t> (plan.tiles.column[static_cast<size_t> ((cell + tile_side - 1) / tile_side)]);
      };
      const auto first = column (part.first), end = column (part.first + part.count);
      time (spread, [&] { kernels.spread ({first, end - first}, part.first); });
      time (columns, [&] { transforms.columns (kernels, part); });
    });
    in_parts (plan.job.size, batches.columns, [&] (const Part &part) {
      time (gather, [&] { kernels.gather (part); });
      time (slices, [&] { transforms.slices (kernels, part, 0, lanes, out); });
    });
  }
};

int measure (const OpenclDevice &device, int64_t width, int lanes, int runs, bool own, bool halves)
{
  std::vector<Ray> rays;
  for (int64_t i = 0; i < width; i++) {
    const auto angle = std::numbers::pi * static_cast<double> (i) / static_cast<double> (width);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (width) - 0.5, 1});
  }
  const double begin = now ();
  const OpenclPlan plan ({.size = width,
                          .rays = rays,
                          .filter = {ramp_filter::Window::sinc, 1, 2, 1.5, 1},
                          .edge = false,
                          .halves = halves,
                          .width = width_for (1e-3),
                          .mask = false,
                          .roi = {0, 0, width, width}});
  std::printf ("%s: %d slices of %d x %d; planned in %.3g s\n", device.name.c_str (), lanes, static_cast<int> (width),
               static_cast<int> (width), now () - begin);
  auto gridding = plan.gridding;
  gridding.set_filter (plan.job.filter, [] (int64_t n, auto body) { body (0, n); });
  const families::Setting setting{&family ().kernels[0], {{"FFT", own}}};
  const auto kind = transforms_for (device.facts (), plan, setting);
  const Batches batches (plan, slices_at_once (device, plan, lanes, kind), kind);
  Bill bill;
  memory (device, plan, batches, bill);
  Allotment allotment (bill);
  std::printf ("%d slices, %d rays and %d columns at once, %.3g MB\n", batches.slices, static_cast<int> (batches.rays),
               static_cast<int> (batches.columns), 1e-6 * static_cast<double> (total (bill)));
  const cl::CommandQueue queue (device.context (), device.device);
  Stages kernels (device, queue, plan, gridding, batches, setting, lanes, allotment);
  const auto transforms = line_transforms (device, plan, batches, allotment);
  const auto bytes = static_cast<size_t> (width * width * lanes) * sizeof (float);
  const cl::Buffer in (device.context (), CL_MEM_READ_WRITE, bytes), out (device.context (), CL_MEM_READ_WRITE, bytes);
  queue.enqueueFillBuffer (in, cl_float{1}, 0, bytes);
  Bench bench{queue, plan, batches, kernels, *transforms};
  bench.run (in, out, lanes); // warms up
  std::fill (std::begin (bench.seconds), std::end (bench.seconds), 0.0);
  for (int i = 0; i < runs; i++)
    bench.run (in, out, lanes);
  double all = 0;
  for (int stage = 0; stage < stages; stage++) {
    std::printf ("%-8s %.3g ms\n", names[stage], 1e3 * bench.seconds[stage] / runs);
    all += bench.seconds[stage] / runs;
  }
  std::printf ("%.3g ms in all, %.3g ms per slice\n", 1e3 * all, 1e3 * all / batches.slices);
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
    return device.attempt ([&] {
      return measure (device, argument (2, 1024), argument (3, 16), argument (4, 3), argument (5, 1) == 1,
                      argument (6, 0) == 1);
    });
  } catch (const Error &error) {
    std::fprintf (stderr, "%s\n", error.what ());
    return 1;
  }
}
