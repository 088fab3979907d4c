// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/trial.hpp"
#include "base/half.hpp"
#include "families/trial.hpp"
#include "filters/back-project/opencl/launcher.hpp"
#include "filters/back-project/opencl/problem.hpp"
#include <cmath>
#include <numbers>

namespace sino::back_project {

using families::Problem, families::Setting;

namespace {

constexpr int64_t size = 40, projections = 13;

// Values that are exact in half: whole multiples of 1/512 in [-1, 1).
double value (int64_t ray, int64_t bin, int lane)
{
  auto x = static_cast<uint32_t> ((ray * size + bin) * 32 + lane) * 2654435761u;
  x ^= x >> 15;
  return static_cast<double> (x * 2246822519u >> 22) / 512 - 1;
}

std::vector<std::byte> bins_of (const Problem &problem)
{
  std::vector<std::byte> bytes;
  const auto add = [&]<class T> (T v) {
    const auto *from = reinterpret_cast<const std::byte *> (&v);
    bytes.insert (bytes.end (), from, from + sizeof v);
  };
  for (int64_t ray = 0; ray < projections; ray++)
    for (int64_t bin = 0; bin < size; bin++)
      for (int lane = 0; lane < problem.lanes; lane++)
        if (is_half (problem))
          add (half_from_float (static_cast<float> (value (ray, bin, lane))));
        else
          add (static_cast<float> (value (ray, bin, lane)));
  return bytes;
}

// Angles at which no pixel centre falls on a bin's border, where `nearest` could round either way.
std::vector<Ray> some_rays ()
{
  std::vector<Ray> rays;
  for (int k = 0; k < projections; k++) {
    const double angle = 0.1 + k * std::numbers::pi / projections;
    rays.push_back (
        {std::cos (angle), std::sin (angle), 0.5 * size - 0.5 + 0.3 * k, 0.5f + 0.1f * static_cast<float> (k)});
  }
  return rays;
}

double bin (int64_t ray, int64_t number, int lane)
{
  return number < 0 || number >= size ? 0 : value (ray, number, lane);
}

double seen (int64_t ray, double u, int lane, Interpolation interpolation)
{
  if (interpolation == Interpolation::nearest)
    return bin (ray, static_cast<int64_t> (std::floor (u + 0.5)), lane);
  if (interpolation == Interpolation::oversample)
    u = std::floor (u * oversampling + 0.5) / oversampling;
  const auto left = std::floor (u);
  const auto number = static_cast<int64_t> (left);
  return (1 - u + left) * bin (ray, number, lane) + (u - left) * bin (ray, number + 1, lane);
}

double pixel (const std::vector<Ray> &rays, int64_t x, int64_t y, int lane, const Problem &problem)
{
  const auto from_middle = [] (int64_t i) { return static_cast<double> (i) + 0.5 - 0.5 * static_cast<double> (size); };
  if (has_mask (problem) && std::hypot (from_middle (x), from_middle (y)) > 0.5 * static_cast<double> (size))
    return 0;
  double sum = 0;
  for (int64_t k = 0; k < projections; k++) {
    const auto &ray = rays[static_cast<size_t> (k)];
    const double u = ray.origin + from_middle (x) * ray.cos - from_middle (y) * ray.sin;
    sum += static_cast<double> (ray.weight) * seen (k, u, lane, interpolation_of (problem));
  }
  return sum;
}

} // namespace

double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto rays = some_rays ();
  const auto job = job_of (problem, size, rays);
  std::vector<std::vector<float>> slices (static_cast<size_t> (problem.lanes), std::vector<float> (size * size, NAN));
  std::vector<float *> pointers;
  for (auto &slice : slices)
    pointers.push_back (slice.data ());
  const Monitor monitor;
  const auto bins = bins_of (problem);
  Bill bill;
  Launcher::memory (job, setting, 0, 0, bill);
  Allotment memory (bill);
  Launcher (device, monitor, job, setting, memory).run (bins.data (), pointers);

  families::RelativeError error;
  for (int lane = 0; lane < problem.lanes; lane++)
    for (int64_t y = 0; y < size; y += 3)
      for (int64_t x = 0; x < size; x += 3) {
        const float got = slices[static_cast<size_t> (lane)][static_cast<size_t> (y * size + x)];
        error.add (static_cast<double> (got), pixel (rays, x, y, lane, problem));
      }
  return error.value ();
}

} // namespace sino::back_project
