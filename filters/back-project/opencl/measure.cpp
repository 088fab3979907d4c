// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/measure.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "families/findings.hpp"
#include "families/program.hpp"
#include "filters/back-project/opencl/launcher.hpp"
#include "filters/back-project/opencl/problem.hpp"
#include <cmath>
#include <numbers>

namespace sino::back_project {

namespace {

constexpr int64_t side = 512, most_rays = 1024;
constexpr double long_enough = 2e-3; // seconds, compared to about 1e-5 for the start of a launch

std::vector<Ray> rays_of (int64_t count)
{
  std::vector<Ray> rays;
  for (int64_t k = 0; k < count; k++) {
    const double angle = std::numbers::pi * static_cast<double> (k) / static_cast<double> (count);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * side - 0.5, 1});
  }
  return rays;
}

// Returns the measured updates per second.
double time_it (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const Monitor monitor;
  std::vector<std::vector<float>> slices (static_cast<size_t> (problem.lanes), std::vector<float> (side * side));
  const std::vector<float *> pointers = [&] {
    std::vector<float *> all;
    for (auto &slice : slices)
      all.push_back (slice.data ());
    return all;
  }();
  double speed = 0;
  for (int64_t count = 16; count <= most_rays; count *= 4) {
    const auto rays = rays_of (count); // must outlive the job, which points to them
    const auto job = job_of (problem, side, rays);
    const std::vector<std::byte> bins (bins_bytes (job));
    Bill bill;
    Launcher::memory (job, setting, 0, 0, bill);
    Allotment memory (bill);
    Launcher launcher (device, monitor, job, setting, memory);
    // Drivers may compile at the first launch, and again at the first launch that does not begin at the corner.
    for (int run = 0; run < 3; run++) {
      launcher.run (bins.data (), pointers);
      launcher.wait ();
      speed = std::max (speed, launcher.speed ());
    }
    const double updates = static_cast<double> (side * side * count * problem.lanes);
    if (updates > speed * long_enough)
      break;
  }
  return speed;
}

// Returns the measured updates per second, or 0 if the kernel does not run on the device.
double speed_of (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  if (!families::refusal (device, setting, problem).empty ())
    return 0;
  const auto &source = setting.kernel->source;
  const auto path =
      families::finding_path (device, std::string ("speed-back-project-") + setting.kernel->name,
                              {source.read (source.name), families::build_options (setting, problem, options)});
  const auto finding = families::find_out (path, [&] () -> families::Finding {
    try {
      const double speed = time_it (device, setting, problem);
      return {text ("%.0f", speed), speed > 0};
    } catch (const Error &error) {
      g_debug ("not measured: %s", error.what ());
      return {"0", false};
    }
  });
  double speed = 0;
  parse_number (finding.text, speed);
  return speed;
}

} // namespace

Measured measure (const families::Family &family, const OpenclDevice &device, const Problem &wanted)
{
  const bool many = wanted.rows > 1;
  const int texel = !many ? 1 : is_half (wanted) ? 4 : 2, lanes = many ? 4 : 1;
  const auto problem = [&] (int n) {
    auto each = wanted.with_lanes (n);
    each.words["interpolation"] = interpolation_of (wanted) == Interpolation::nearest;
    each.words["mask"] = 0;
    each.words["columns"] = side;
    each.words["projections"] = most_rays;
    return each;
  };
  // Compilers for CPUs take a minute for unrolled loops.
  const auto local = families::parse_setting (family, "local", device.facts ().gpu ? "CACHED=8" : "CACHED=8,UNROLL=1");
  const auto texture = families::parse_setting (family, "texture", "");
  return {.texels = speed_of (device, texture, problem (texel)) / texel,
          .updates = speed_of (device, local, problem (lanes)),
          .local = local,
          .lanes = lanes};
}

} // namespace sino::back_project
