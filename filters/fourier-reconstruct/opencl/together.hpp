// SPDX-License-Identifier: LGPL-3.0-or-later
// How many slices are worked on together on a device. What is fastest depends on its registers and caches.
#pragma once
#include "device/opencl.hpp"

namespace sino::fourier {

enum class Together { automatic = 0, two = 2, four = 4, eight = 8, sixteen = 16 };
constexpr int group_sizes[] = {2, 4, 8, 16};

struct GroupChoice {
  int slices; // where there are as many, and memory for them
  std::string origin;
  std::string text () const;
};

// As asked for, else what was tuned, else what is usual.
GroupChoice choose_group (const OpenclDevice &device, Together asked);

// For later runs of this user. Returns the file; throws Error.
std::string keep_group (const OpenclDevice &device, int slices);
std::string group_json (int slices);

} // namespace sino::fourier
