// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of an OpenCL device by which kernels are chosen. Plain data, so that choices can be tested without the
// device.
#pragma once
#include "base/visibility.hpp"
#include <cstddef>
#include <cstdint>
#include <string>

namespace sino {

constexpr int64_t most_groups = 32768; // all drivers accept this many work-groups in any dimension

struct OpenclFacts {
  std::string vendor;       // nvidia, amd, intel, pocl, oclgrind, or other
  std::string architecture; // "8.6" (compute capability), "gfx90a", "12.55" (Intel's IP version), or ""
  bool gpu = false;
  bool images = false;         // supports 2-D images
  bool shuffle = false;        // sub-groups may exchange values by cl_khr_subgroup_shuffle
  bool half = false;           // arithmetic in half
  int units = 1;               // compute units
  int clock = 1000;            // MHz
  size_t local_memory = 32768; // bytes of a work-group
  size_t constant_memory = 65536;
  size_t largest_group = 256; // work-items
  size_t image_width = 0, image_height = 0;
  int most_turns =
      0; // limit of all loop iterations of a work-item, after which the driver silently ends the loops; 0: none
};

// Finds vendor and architecture from results of queries: strings of platform and device, and numbers of vendor
// extensions, 0 if a driver does not answer them.
struct OpenclNames {
  std::string platform, vendor, device, extensions;
  unsigned nvidia_major = 0, nvidia_minor = 0;
  unsigned amd_major = 0, amd_minor = 0;
  unsigned intel_version = 0;
};
SINO_VISIBLE void tell_architecture (const OpenclNames &names, OpenclFacts &facts);

} // namespace sino
