// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/metric.hpp"
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include "kernels/iterate/cosine.hpp"
#include "kernels/iterate/largest.hpp"
#include "kernels/iterate/steps.hpp"
#include <cmath>
#include <numbers>
#include <numeric>

namespace sino::iterative_cone_reconstruct {

namespace {

constexpr int lanczos_steps = 24;

int64_t period_of (const footprint::Scene &scene)
{
  return fourier_reconstruct::good_length (std::max (scene.volume.columns, scene.volume.lines));
}

// The density of many rays in all directions, 1 / (pi |f|). `x`, `y`: cycles per voxel.
double mean_density (double x, double y, int64_t size)
{
  return 1 / (std::numbers::pi * std::max (std::hypot (x, y), 0.5 / static_cast<double> (size)));
}

double laplacian_at (double frequency)
{
  return 2 - 2 * std::cos (2 * std::numbers::pi * frequency);
}

} // namespace

Metric::Metric (const footprint::Scene &s, double density, double g, const Cpu &c, const Monitor &m)
    : scene (s), cpu (c), monitor (m), gradient (iterate::margin_of_gradient * g), plan (period_of (s)),
      floats (iterate::floats_of (plan.n)), along (scene.line),
      frequencies (hwy::AllocateAligned<float> (floats.frequencies))
{
  const auto n = plan.n;
  std::vector<float> divisors (static_cast<size_t> (n * n));
  cpu.parallel (n, 16, [&] (int64_t begin, int64_t end) {
    for (auto y = begin; y < end; y++)
      for (int64_t x = 0; x < n; x++) {
        const auto at = [n] (int64_t i) {
          return static_cast<double> (2 * i < n ? i : i - n) / static_cast<double> (n);
        };
        const double duals =
            static_cast<double> (iterate::dual_step) * (laplacian_at (at (x)) + laplacian_at (at (y))) +
            static_cast<double> (iterate::positive_step);
        divisors[static_cast<size_t> (y * n + x)] =
            static_cast<float> (density * mean_density (at (x), at (y), n) + gradient * duals);
      }
  });
  plan.set_metric (divisors.data (), 0, n);
  memory.z0 = frequencies.get ();
}

size_t Metric::bytes (const footprint::Scene &scene, int threads)
{
  const auto n = period_of (scene);
  const auto floats = iterate::floats_of (n);
  return iterate::Plan::resident (n) + (floats.frequencies + static_cast<size_t> (n * n)) * sizeof (float) +
         static_cast<size_t> (threads) * floats.work * sizeof (float) + Fft::plan_bytes (scene.line);
}

void Metric::apply (float *volume)
{
  if (gradient > 0)
    cosines (volume, false);
  for (int64_t first = 0; first < scene.line; first += iterate::stack_lanes ())
    divide_stack (volume, first);
  if (gradient > 0)
    cosines (volume, true);
}

void Metric::cosines (float *volume, bool back) const
{
  const auto columns = scene.volume.columns;
  cpu.parallel (scene.volume.lines, 1, [&] (int64_t begin, int64_t end) {
    iterate::Cosine transform (along);
    std::vector<float> none (static_cast<size_t> (scene.line));
    for (auto y = begin; y < end; y++) {
      monitor.check ();
      for (int64_t x = 0; x < columns; x += 2) {
        float *const a = volume + (y * columns + x) * scene.line;
        float *const b = x + 1 < columns ? a + scene.line : none.data ();
        back ? transform.backward (a, b) : transform.forward (a, b);
      }
    }
  });
}

// The lanes of a stack are neighbouring frequencies along z; those of a pair take the larger divisor.
void Metric::divide_stack (float *volume, int64_t first)
{
  const auto columns = scene.volume.columns, lines = scene.volume.lines;
  const auto each = [&] (int64_t n, const auto &body) {
    cpu.parallel (n, 4, [&] (int64_t begin, int64_t end) {
      const auto work = hwy::AllocateAligned<float> (floats.work);
      for (auto i = begin; i < end; i++) {
        monitor.check ();
        body (i, work.get ());
      }
    });
  };
  alignas (64) float add[iterate::most_lanes] = {};
  for (int lane = 0; lane < iterate::stack_lanes (); lane++) {
    const double frequency = static_cast<double> ((first + lane) | 1) / static_cast<double> (2 * scene.line);
    add[lane] = static_cast<float> (gradient * static_cast<double> (iterate::dual_step) * laplacian_at (frequency));
  }
  const auto line = [&] (int64_t y) { return volume + y * columns * scene.line + first; };
  each (plan.n, [&] (int64_t y, float *work) {
    iterate::lay_metric (plan, memory, line (std::min (y, lines - 1)), y < lines ? columns : 0, scene.line, y, work);
  });
  each (plan.groups (), [&] (int64_t i, float *work) { iterate::divide_by (plan, memory, add, i, work); });
  each (lines,
        [&] (int64_t y, float *work) { iterate::take_metric (plan, memory, line (y), columns, scene.line, y, work); });
}

// Lanczos' method for B M with the inner product <u, v> = u.M v, where B is T / 2 and M the metric.
double density_factor (const Problem &problem, const Cpu &cpu, const Monitor &monitor)
{
  const auto &scene = problem.coarse;
  Bill bill;
  footprint::Pair::memory (scene, cpu.threads (), bill);
  Allotment memory (bill);
  const footprint::Pair pair (scene, cpu, monitor, memory);
  Metric metric (scene, 1, 0, cpu, monitor);
  const auto voxels = static_cast<size_t> (scene.voxels ());
  const auto views = std::ssize (scene.sights);
  const auto array = [] (size_t n) {
    auto values = hwy::AllocateAligned<float> (n);
    std::fill_n (values.get (), n, 0.0F);
    return values;
  };
  auto vector = array (voxels), before = array (voxels), image = array (voxels), divided = array (voxels);
  auto projections = array (static_cast<size_t> (views * scene.bins ()));
  const auto product = [voxels] (const auto &a, const auto &b) {
    return std::transform_reduce (a.get (), a.get () + voxels, b.get (), 0.0, std::plus (),
                                  [] (float x, float y) { return static_cast<double> (x) * static_cast<double> (y); });
  };
  const auto inside = [&] (auto &values, auto value) {
    for (int64_t y = 0; y < scene.volume.lines; y++)
      for (int64_t x = 0; x < scene.volume.columns; x++) {
        const auto columns = scene.inside[static_cast<size_t> (y)];
        float *const line = values.get () + (y * scene.volume.columns + x) * scene.line;
        for (int64_t z = 0; z < scene.line; z++)
          line[z] = z < scene.volume.slices && x >= columns.begin && x < columns.end ? value (line[z]) : 0;
      }
  };
  uint32_t state = 1;
  inside (vector, [&state] (float) {
    return static_cast<float> (static_cast<int32_t> (state = state * 1664525U + 1013904223U)) / 2147483648.0F;
  });
  std::vector<double> diagonal, beside;
  const auto divide = [&] { // `divided` becomes M vector, inside
    std::copy_n (vector.get (), voxels, divided.get ());
    metric.apply (divided.get ());
    inside (divided, [] (float value) { return value; });
  };
  divide ();
  double length = std::sqrt (std::max (product (vector, divided), 1e-30));
  for (int i = 0; i < lanczos_steps; i++) {
    const auto scale = static_cast<float> (1 / length);
    for (size_t j = 0; j < voxels; j++) {
      vector[j] *= scale;
      divided[j] *= scale;
    }
    std::fill_n (image.get (), voxels, 0.0F);
    pair.forward (divided.get (), {0, views}, projections.get ());
    pair.adjoint (projections.get (), {0, views}, image.get ());
    const float half = 0.5F / static_cast<float> (views);
    inside (image, [half] (float value) { return half * value; });
    const double share = product (image, divided), last = beside.empty () ? 0 : beside.back ();
    for (size_t j = 0; j < voxels; j++)
      image[j] -= static_cast<float> (share) * vector[j] + static_cast<float> (last) * before[j];
    diagonal.push_back (share);
    std::swap (before, vector);
    std::swap (vector, image);
    divide ();
    const double square = product (vector, divided);
    if (!(square > 1e-12))
      break;
    length = std::sqrt (square);
    beside.push_back (length);
  }
  return iterate::largest_of (diagonal, beside);
}

size_t density_factor_bytes (const Problem &problem, int threads)
{
  const auto &scene = problem.coarse;
  const auto floats = 4 * scene.voxels () + std::ssize (scene.sights) * scene.bins ();
  return static_cast<size_t> (floats) * sizeof (float) + Metric::bytes (scene, threads) +
         static_cast<size_t> (threads) * footprint::memory_of_thread (scene);
}

double density_factor_updates (const Problem &problem)
{
  const auto &volume = problem.coarse.volume;
  return 2.0 * lanczos_steps * static_cast<double> (volume.columns * volume.lines * volume.slices) *
         static_cast<double> (problem.coarse.sights.size ());
}

} // namespace sino::iterative_cone_reconstruct
