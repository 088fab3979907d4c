// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters the rows of a block that lies in the memory of an OpenCL device.
#pragma once
#include "device/bill.hpp"
#include "families/program.hpp"
#include "kernels/ramp-filter/spectrum.hpp"

namespace sino::ramp_filter {

// `padded`: length of a row with its padding; `edge`: that is the row's first and last values.
families::Problem problem_of (int64_t padded, bool edge, int lanes);
std::string options (const families::Setting &setting, const families::Problem &problem); // of the compiler

// Kernels, the scan that they are for, and its filter.
struct RowsSetup {
  const OpenclDevice &device;
  const families::Setting &setting;
  const families::Problem &problem;
  int64_t width; // columns
  const SpectrumFilter &filter;
  Allotment &memory;
};

class OpenclRows
{
public:
  virtual ~OpenclRows () = default;

  // Filters [lines][width][lanes] to the same. Groups of lanes have `angles` lines each, with `rows` rows in all; lanes
  // without a row become 0. Enqueued, not waited for, on a queue that keeps its order. One thread at a time. Returns
  // the first command and the last.
  virtual std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const cl::Buffer &in,
                                                   const cl::Buffer &out, int64_t rows, int64_t angles) = 0;
};

// On the bill, and in the device's memory: pairs of factors.
constexpr char factors_item[] = "factors of the filter";
cl::Buffer factors_of (const RowsSetup &setup);

} // namespace sino::ramp_filter
