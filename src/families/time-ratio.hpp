// SPDX-License-Identifier: LGPL-3.0-or-later
// The time ratio of a kernel: the time that it took on a device, divided by the time that was predicted for it. Plans
// multiply later predictions by it. Ratios are findings, one file for each device, driver and kernel.
#pragma once
#include "families/use.hpp"
#include <compare>

namespace sino::families {

// Whether ratios are kept for the device: for GPUs with memory of their own only, so that plans for CPUs do not depend
// on earlier runs.
SINO_VISIBLE bool keeps_time_ratios (const Device &device);

// The file with the ratio of a kernel, and what it says of that: the device, and the kernel for people.
struct RatioFile {
  std::string path, about;
};
// The file for the kernel that `use` chooses for this number of lanes.
SINO_VISIBLE RatioFile ratio_file (const OpenclDevice &device, const Use &use, int lanes);

// The ratio in the file; 0 if there is none, or if the file is damaged.
SINO_VISIBLE double kept_time_ratio (const std::string &path);

// Writes the ratio, unless it is the kept one within 10 %. A ratio beyond 30 or below 1/30 is kept as that limit: more
// than that is no matter of the device's speed. If it cannot be written, later plans do without it.
SINO_VISIBLE void keep_time_ratio (const RatioFile &file, double ratio);

// The ratios that this version of the program keeps for a device and its driver, in the order of families and kernels.
struct KeptRatio {
  std::string family, kernel; // "back-project", "image(VIEWS=32), 4 lanes, element=u16"
  double ratio;

  auto operator<=> (const KeptRatio &) const = default;
};
SINO_VISIBLE std::vector<KeptRatio> kept_time_ratios (const OpenclDevice &device);

} // namespace sino::families
