// SPDX-License-Identifier: LGPL-3.0-or-later
// Random projections, regions of volumes, and how far kernels may err, for tests of OpenCL kernels.
#pragma once
#include "tests/filters/cone-back-project/projections.hpp"
#include "tests/filters/cone-back-project/some-job.hpp"

namespace sino::test {

using Words = std::vector<std::pair<std::string, std::string>>;

struct Scan {
  ScanSetup setup;
  int64_t angles = 21, rows = 21, columns = 27;
  int turns = 1;
};

struct Box {
  int64_t size, slices;
  double voxel;
  int64_t x = 0, y = 0, z = 0; // the region begins, and goes to the end
};

inline ScanSetup changed (ScanSetup setup, void (*change) (ScanSetup &))
{
  change (setup);
  return setup;
}

inline Array random_projections (const Scan &scan)
{
  return random_projections (scan.setup, turned (scan.angles, 2 * G_PI * scan.turns), scan.rows, scan.columns);
}

inline Array run_on (const OpenclDevice &device, const Array &in, const Words &words, Cut cut)
{
  cut.device = &device;
  return run_task (*make_task ("cone-back-project", words), {&in}, cut);
}

inline Words words_of (const Box &box, const std::string &kernel, const std::string &parameters)
{
  return {{"size", std::to_string (box.size)},
          {"slices", std::to_string (box.slices)},
          {"voxel-size", text ("%g", box.voxel)},
          {"roi-x", std::to_string (box.x)},
          {"roi-y", std::to_string (box.y)},
          {"roi-z", std::to_string (box.z)},
          {"variant", kernel},
          {"variant-parameters", parameters}};
}

// Texture engines weigh with 8 bits, which costs random values more than a scan; simulators of them do not.
inline double bar (const std::string &kernel, const OpenclDevice &device)
{
  return kernel == "image" ? (device.is_gpu ? 6e-3 : 4e-4) : 1e-5;
}

} // namespace sino::test
