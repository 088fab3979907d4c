// SPDX-License-Identifier: LGPL-3.0-or-later
// The time ratio of a kernel: the time that it took on a device, divided by the time that was predicted for it. Plans
// multiply later predictions by it. Ratios are findings, one file for each device, driver and kernel.
#pragma once
#include "families/use.hpp"

namespace sino::families {

// Whether ratios are kept for the device: for GPUs with memory of their own only, so that plans for CPUs do not depend
// on earlier runs.
SINO_VISIBLE bool keeps_time_ratios (const Device &device);

// Path of the ratio of the kernel that `use` chooses for this number of lanes.
SINO_VISIBLE std::string time_ratio_path (const OpenclDevice &device, const Use &use, int lanes);

// The ratio in the file; 0 if there is none, or if the file is damaged.
SINO_VISIBLE double kept_time_ratio (const std::string &path);

// Writes the ratio, unless it is the kept one within 10 %. A ratio beyond 30 or below 1/30 is kept as that limit: more
// than that is no matter of the device's speed. If it cannot be written, later plans do without it.
SINO_VISIBLE void keep_time_ratio (const std::string &path, double ratio);

} // namespace sino::families
