// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters the rows of a block in the memory of an OpenCL device.
#pragma once
#include "device/bill.hpp"
#include "families/program.hpp"
#include "kernels/ramp-filter/spectrum.hpp"

namespace sino::ramp_filter {

// `padded`: length of a padded row; `edge`: padding repeats the first and last values.
families::Problem problem_of (int64_t padded, bool edge, int lanes);
// options for the OpenCL compiler
std::string options (const families::Setting &setting, const families::Problem &problem);

// Device, kernel, and filter for the rows of a scan.
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

  // Filters [lines][width][lanes]; the output has the same layout. There are `rows` rows in groups of lanes with
  // `angles` lines each; lanes without a row become 0. Enqueues on an in-order queue, without waiting. One thread at a
  // time. Returns the first and the last command.
  virtual std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const cl::Buffer &in,
                                                   const cl::Buffer &out, int64_t rows, int64_t angles) = 0;
};

// Pairs of factors: the name on the bill, and their buffer on the device.
constexpr char factors_item[] = "factors of the filter";
cl::Buffer factors_of (const RowsSetup &setup);

} // namespace sino::ramp_filter
