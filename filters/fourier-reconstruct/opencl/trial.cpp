// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/trial.hpp"
#include "families/trial.hpp"
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "filters/fourier-reconstruct/opencl/reconstruction.hpp"
#include <cmath>
#include <complex>
#include <numbers>

namespace sino::fourier_reconstruct {

namespace {

constexpr int64_t size = 24, projections = 20;

float value (int lane, int64_t ray, int64_t bin)
{
  return families::noise ((lane * projections + ray) * size + bin);
}

std::vector<Ray> some_rays ()
{
  std::vector<Ray> rays;
  for (int64_t k = 0; k < projections; k++) {
    const double angle = 0.1 + static_cast<double> (k) * std::numbers::pi / projections;
    rays.push_back (
        {std::cos (angle), std::sin (angle), 0.5 * size - 0.2, static_cast<float> (std::numbers::pi) / projections});
  }
  return rays;
}

// Reference: the definition of kernels/fourier-reconstruct/gridding.hpp, in double.
class Truth
{
public:
  Truth (const Gridding &g, std::span<const Ray> r, bool e, int l) : gridding (g), rays (r), edge (e), lane (l)
  {
    for (int64_t ray = 0; ray < projections; ray++)
      for (int64_t k = 0; k <= g.padded / 2; k++)
        terms.push_back (term (ray, k));
  }

  double pixel (int64_t x, int64_t y) const
  {
    const auto from_middle = [] (int64_t i) { return static_cast<double> (i) + 0.5 - 0.5 * size; };
    double sum = 0;
    for (int64_t k = 0; k < projections; k++) {
      const auto &ray = rays[static_cast<size_t> (k)];
      const double at = ray.origin + from_middle (x) * ray.cos - from_middle (y) * ray.sin;
      sum += static_cast<double> (ray.weight) * row_at (k, at);
    }
    return sum;
  }

private:
  const Gridding &gridding;
  const std::span<const Ray> rays;
  const bool edge;
  const int lane;
  std::vector<std::complex<double>> terms; // [ray][k], for k and -k

  std::complex<double> turned (double bins, int64_t k) const
  {
    return std::polar (1.0,
                       2 * std::numbers::pi * bins * static_cast<double> (k) / static_cast<double> (gridding.padded));
  }
  double padded_value (int64_t ray, int64_t i) const
  {
    if (i < size)
      return value (lane, ray, i);
    return !edge ? 0 : value (lane, ray, i < size + (gridding.padded - size) / 2 ? size - 1 : 0);
  }
  std::complex<double> term (int64_t ray, int64_t k) const
  {
    std::complex<double> sum = 0;
    for (int64_t i = 0; i < gridding.padded; i++)
      sum += padded_value (ray, i) * turned (-static_cast<double> (i), k);
    return sum * static_cast<double> (gridding.response[static_cast<size_t> (k)]) * (k == 0 ? 1.0 : 2.0);
  }
  double row_at (int64_t ray, double at) const
  {
    double sum = 0;
    for (int64_t k = 0; k <= gridding.padded / 2; k++)
      sum += (terms[static_cast<size_t> (ray * (gridding.padded / 2 + 1) + k)] * turned (at, k)).real ();
    return sum;
  }
};

Gridding filtered (const OpenclPlan &plan)
{
  auto gridding = plan.gridding;
  gridding.set_filter (plan.job.filter, [] (int64_t n, auto body) { body (0, n); });
  return gridding;
}

} // namespace

double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem)
{
  const auto rays = some_rays ();
  const auto plan = std::make_shared<const OpenclPlan> (Job{.size = size,
                                                            .rays = rays,
                                                            .filter = {ramp_filter::Window::ram_lak, 1, 2, 1.5, 1},
                                                            .edge = problem["padding-mode"] == 1,
                                                            .halves = problem["precision"] == 1,
                                                            .width = static_cast<int> (problem["width"]),
                                                            .mask = problem["mask"] == 1,
                                                            .roi = {.x = 0, .y = 0, .width = size, .height = size}});
  const auto gridding = filtered (*plan);
  std::vector<float> bins;
  for (int64_t ray = 0; ray < projections; ray++)
    for (int64_t bin = 0; bin < size; bin++)
      for (int lane = 0; lane < problem.lanes; lane++)
        bins.push_back (value (lane, ray, bin));
  std::vector<std::vector<float>> slices (static_cast<size_t> (problem.lanes), std::vector<float> (size * size, NAN));
  std::vector<MemoryPiece> places;
  for (auto &slice : slices)
    places.emplace_back (reinterpret_cast<std::byte *> (slice.data ()));
  const Monitor monitor;
  const auto transforms = transforms_for (device.facts (), *plan, setting);
  const Batches batches (*plan, slices_at_once (device, *plan, slices_of (setting, problem.lanes), transforms),
                         transforms);
  Bill bill;
  OpenclReconstruction::memory (device, *plan, problem.lanes, batches, 0, 0, bill);
  Allotment memory (bill);
  OpenclReconstruction ({.device = device,
                         .monitor = monitor,
                         .plan = plan,
                         .lanes = problem.lanes,
                         .batches = batches,
                         .setting = setting,
                         .memory = memory},
                        gridding)
      .run (reinterpret_cast<std::byte *> (bins.data ()), places);

  families::RelativeError error;
  for (int lane = 0; lane < problem.lanes; lane++) {
    const Truth truth (gridding, rays, plan->job.edge, lane);
    for (int64_t y = 1; y < size; y += 3)
      for (int64_t x = 1; x < size; x += 3) {
        const float got = slices[static_cast<size_t> (lane)][static_cast<size_t> (y * size + x)];
        const bool inside = back_project::in_circle (size, x, y);
        if (inside || plan->job.mask)
          error.add (static_cast<double> (got), inside ? truth.pixel (x, y) : 0);
      }
  }
  return error.value ();
}

} // namespace sino::fourier_reconstruct
