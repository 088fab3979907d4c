// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters the rows of a block that lies in the memory of an OpenCL device.
#pragma once
#include "device/bill.hpp"
#include "device/opencl-fft.hpp"
#include "families/program.hpp"
#include "kernels/ramp-filter/spectrum.hpp"
#include <map>

namespace sino::ramp_filter {

// `padded`: length of a row with its padding; `edge`: that is the row's first and last values.
families::Problem problem_of (int64_t padded, bool edge, int lanes);
std::string options (const families::Setting &setting, const families::Problem &problem); // of the compiler

class OpenclRows
{
public:
  // What it takes for blocks of so many rows, the lanes' padding included, which are padded to `padded` values.
  static void memory (const OpenclDevice &device, int64_t padded, int64_t rows, Bill &bill);

  // Blocks of lines of `width` columns.
  OpenclRows (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
              int64_t width, const ramp_filter::SpectrumFilter &filter, Allotment &allotment);

  // Filters [lines][width][lanes] to the same. Groups of lanes have `angles` lines each, with `rows` rows in all; lanes
  // without a row become 0. Enqueued, not waited for, on a queue that keeps its order. One thread at a time. Returns
  // the first command and the last.
  std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &out,
                                           int64_t rows, int64_t angles);

private:
  const OpenclDevice &device;
  const int64_t width, lanes, padded;
  const size_t group; // work-items
  Allotment &allotment;
  cl::Kernel lay, multiply, crop;
  cl::Buffer factors, values, scratch;
  std::map<int64_t, OpenclFft> transforms; // by the number of rows

  cl::NDRange items (int64_t columns, int64_t lines) const;
  std::pair<cl::Event, cl::Event> filter_lines (const cl::CommandQueue &queue, int64_t first, int64_t count);
  const OpenclFft &transform_of (int64_t rows);
};

} // namespace sino::ramp_filter
