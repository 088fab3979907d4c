// SPDX-License-Identifier: LGPL-3.0-or-later
// Keeps the projections of a parallel beam in the memory of an OpenCL device, and makes pictures of them there.
#pragma once
#include "filters/live/easel.hpp"
#include "filters/live/resident.hpp"
#include "filters/ramp-filter/family.hpp"

namespace sino::live {

// The ramp filter on the device.
struct DeviceFilter {
  families::Setting setting;
  families::Problem problem;
  ramp_filter::SpectrumFilter factors;
};

struct PictureSizes {
  size_t most_values; // of a picture
  int64_t most_lines;
  size_t pictures; // most of them
};

// `filter`: null if rows are not filtered; its factors are not needed. `block`: bytes of a block that must be copied to
// the device; 0: none.
void device_memory (const OpenclDevice &device, const Keeping &keeping, const PictureSizes &sizes,
                    const DeviceFilter *filter, size_t block, Bill &bill);

std::unique_ptr<Easel> device_easel (const OpenclDevice &device, const Keeping &keeping,
                                     const families::Setting &setting, const DeviceFilter *filter, Allotment &memory);

} // namespace sino::live
