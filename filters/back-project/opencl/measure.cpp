// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/measure.hpp"
#include "back-project/opencl/answers.hpp"
#include "back-project/opencl/image.hpp"
#include "back-project/opencl/launcher.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "opencl/source.hpp"
#include <cmath>
#include <numbers>

namespace sino::back_project {

namespace {

constexpr int64_t size = 512, most_rays = 1024;
constexpr double long_enough = 2e-3; // seconds, against some 1e-5 to start a launch

std::vector<Ray> rays_of (int64_t count)
{
  std::vector<Ray> rays;
  for (int64_t k = 0; k < count; k++) {
    const double angle = std::numbers::pi * static_cast<double> (k) / static_cast<double> (count);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * size - 0.5, 1});
  }
  return rays;
}

// Updates per second.
double time_it (const OpenclDevice &device, const Setting &setting, Problem problem)
{
  const Monitor monitor;
  std::vector<std::vector<float>> slices (static_cast<size_t> (problem.lanes), std::vector<float> (size * size));
  const std::vector<float *> pointers = [&] {
    std::vector<float *> all;
    for (auto &slice : slices)
      all.push_back (slice.data ());
    return all;
  }();
  double speed = 0;
  for (problem.rays = 16; problem.rays <= most_rays; problem.rays *= 4) {
    const auto rays = rays_of (problem.rays); // the job only points there
    const Job job{nullptr,           problem.half, problem.lanes,     size, rays, problem.interpolation,
                  Precision::single, false,        {0, 0, size, size}};
    const std::vector<std::byte> bins (bins_bytes (job));
    Launcher launcher (device, monitor, job, setting);
    // Drivers may build at the first launch, and again at the first that does not begin at the corner.
    for (int run = 0; run < 3; run++) {
      launcher.run (bins.data (), pointers);
      launcher.end ();
      speed = std::max (speed, launcher.speed ());
    }
    const double updates = static_cast<double> (size * size * problem.rays * problem.lanes);
    if (updates > speed * long_enough)
      break;
  }
  return speed;
}

// 0 when it does not run there.
double speed_of (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  if (!refusal (device, setting, problem).empty ())
    return 0;
  const auto answer =
      answer_to ({"speed 4", device.identity (), kernels::opencl_source (variant_of (setting).source ()),
                  build_options (setting, problem)},
                 [&] () -> Answer {
                   try {
                     const double speed = time_it (device, setting, problem);
                     return {text ("%.0f", speed), speed > 0};
                   } catch (const Error &error) {
                     g_debug ("not measured: %s", error.what ());
                     return {"0", false};
                   }
                 });
  double speed = 0;
  parse_number (answer.text, speed);
  return speed;
}

} // namespace

Measured measure (const OpenclDevice &device, const OpenclFacts &facts, const Situation &situation)
{
  const auto interpolation =
      situation.interpolation == Interpolation::nearest ? Interpolation::nearest : Interpolation::linear;
  const int texel = !situation.many ? 1 : situation.half ? 4 : 2, lanes = situation.many ? 4 : 1;
  const auto problem = [&] (int n) { return Problem{n, situation.half, interpolation, false, size, most_rays}; };
  Measured measured{0, 0, {"local", {{"CACHED", 8}}}, lanes};
  if (!facts.gpu) // compilers for CPUs take a minute for what is unrolled
    measured.local.parameters["UNROLL"] = 1;
  measured.texels = speed_of (device, {"texture", {}}, problem (texel)) / texel;
  measured.updates = speed_of (device, measured.local, problem (lanes));
  return measured;
}

} // namespace sino::back_project
