// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters rows with clFFT: copies them to padded rows, transforms, multiplies, transforms back and crops
// (ramp-filter.cl).
#pragma once
#include "device/opencl-fft.hpp"
#include "filters/ramp-filter/opencl-rows.hpp"
#include <map>

namespace sino::ramp_filter {

class ClfftRows final : public OpenclRows
{
public:
  // Memory for blocks of `rows` rows, padding lanes included, each padded to `padded` values.
  static void memory (const OpenclDevice &device, int64_t padded, int64_t rows, Bill &bill);

  explicit ClfftRows (const RowsSetup &setup);

  std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &out,
                                           int64_t rows, int64_t angles) override;

private:
  const OpenclDevice &device;
  const int64_t width, lanes, padded;
  const size_t group; // work-items
  Allotment &allotment;
  cl::Kernel lay, multiply, crop;
  cl::Buffer factors, values, scratch;
  std::map<int64_t, OpenclFft> transforms; // by number of rows

  cl::NDRange items (int64_t columns, int64_t lines) const;
  std::pair<cl::Event, cl::Event> filter_lines (const cl::CommandQueue &queue, int64_t first, int64_t count);
  const OpenclFft &transform_of (int64_t rows);
};

} // namespace sino::ramp_filter
