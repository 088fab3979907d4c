// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/filters/iterative-reconstruct/on-device.hpp"
#include "families/kernels.hpp"
#include "filters/iterative-reconstruct/opencl/family.hpp"
#include <cmath>
#include <glib.h>
#include <numbers>
#include <random>

namespace sino::test {

iterative_reconstruct::Problem iterated_problem (const IteratedSetup &setup)
{
  std::vector<back_project::Ray> rays;
  for (int64_t k = 0; k < setup.projections; k++) {
    const double angle = static_cast<double> (k) * std::numbers::pi / static_cast<double> (setup.projections);
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (setup.columns) - 0.7,
                     std::numbers::pi_v<float> / static_cast<float> (setup.projections)});
  }
  auto problem = iterative_reconstruct::problem_of (setup.columns, setup.truncated, std::move (rays));
  problem.roi = setup.roi.width > 0 ? setup.roi : back_project::Roi{0, 0, setup.columns, setup.columns};
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

iterative_reconstruct::SomeRows iterated_rows (const IteratedSetup &setup)
{
  std::mt19937 random (5);
  iterative_reconstruct::SomeRows rows{.bins = {}, .lanes = setup.lanes, .rows = setup.rows};
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

bool begin_on_device (int argc, char **argv, std::string &mode, std::string &platform)
{
  g_test_init (&argc, &argv, nullptr);
  if (argc > 1)
    mode = argv[1];
  if (argc > 2)
    platform = argv[2];
  if (device_named (platform))
    return true;
  g_print ("1..0 # SKIP no OpenCL device\n");
  return false;
}

const OpenclDevice *device_named (const std::string &platform)
{
  for (const auto &device : opencl_devices ())
    if (device->name.find (platform) != std::string::npos)
      return device.get ();
  return nullptr;
}

families::Setting iterated_setting (const OpenclDevice &device, const std::string &more)
{
  return families::parse_setting (iterative_reconstruct::family (), "opencl",
                                  (device.is_gpu ? "FFT=1" : "UNROLL=0,FFT=0") + more);
}

} // namespace sino::test
