// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/interleave/opencl-lanes.hpp"
#include "families/program.hpp"
#include <algorithm>

namespace sino::interleave {

namespace {
constexpr int64_t most = 32768; // all drivers accept this many work-groups in any dimension except the first
} // namespace

families::Problem problem_of (size_t bytes, int input_lanes, int lanes)
{
  return {lanes, 1000, {{"bytes", static_cast<int64_t> (bytes)}, {"input-lanes", input_lanes}}};
}

std::string options (const families::Setting &, const families::Problem &problem)
{
  return text (" -DSIZE=%d -DINPUT_LANES=%d", static_cast<int> (problem["bytes"]),
               static_cast<int> (problem["input-lanes"]));
}

OpenclLanes::OpenclLanes (const OpenclDevice &d, const families::Setting &setting, const families::Problem &problem)
    : device (d), lanes (problem.lanes)
{
  device.attempt ([&] {
    kernel = cl::Kernel (families::build (device, setting, problem, options), "interleave");
    group = std::min<size_t> (setting.kernel->shape (setting, problem).group[0],
                              kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE> (device.device));
  });
}

cl::Event OpenclLanes::enqueue (const cl::CommandQueue &queue, const Block &in, const cl::Buffer &from,
                                const Block &out, const cl::Buffer &to)
{
  const auto angle_stride = in.angles ().size () > 1 ? in.offset (1, 0) - in.offset (0, 0) : 0;
  const auto group_stride = in.rows ().size () > in.lanes () ? in.offset (0, in.lanes ()) - in.offset (0, 0) : 0;
  return device.attempt ([&] {
    cl::Event first;
    kernel.setArg (0, from);
    kernel.setArg (1, static_cast<cl_long> (group_stride));
    kernel.setArg (2, static_cast<cl_long> (angle_stride));
    kernel.setArg (6, static_cast<cl_int> (out.rows ().size ()));
    kernel.setArg (7, static_cast<cl_int> (in.angles ().begin - out.angles ().begin));
    kernel.setArg (8, static_cast<cl_int> (out.angles ().size ()));
    kernel.setArg (9, static_cast<cl_int> (in.line ()));
    kernel.setArg (10, to);
    for (int64_t row = 0; row < out.rows ().size ();) {
      const auto run = run_at (row, in.rows (), out.rows ());
      if (run.end > run.first)
        launch (queue, run, in.line (), in.angles ().size (), first);
      row = std::max (run.end, row + 1);
    }
    return first;
  });
}

// Rows from `row` on that are contiguous in input and output. Empty if the input does not have the row.
OpenclLanes::Run OpenclLanes::run_at (int64_t row, const Rows &in, const Rows &out)
{
  const auto from = in.place (out.at (row));
  if (from < 0)
    return {row, row, 0};
  auto end = row + 1;
  while (end < out.size () && in.place (out.at (end)) == from + end - row)
    end++;
  return {row, end, from - row};
}

void OpenclLanes::launch (const cl::CommandQueue &queue, Run run, int64_t columns, int64_t angles, cl::Event &first)
{
  kernel.setArg (3, static_cast<cl_int> (run.first));
  kernel.setArg (4, static_cast<cl_int> (run.end));
  kernel.setArg (5, static_cast<cl_int> (run.shift));
  const auto tile = std::max (32, 256 / lanes); // the kernel's COLUMNS
  const auto tiles = static_cast<size_t> (divide_up (columns, tile));
  const auto groups_end = divide_up (run.end, lanes);
  for (int64_t g = run.first / lanes; g < groups_end; g += most)
    for (int64_t angle = 0; angle < angles; angle += most)
      queue.enqueueNDRangeKernel (kernel, {0, static_cast<size_t> (angle), static_cast<size_t> (g)},
                                  {tiles * group, static_cast<size_t> (std::min (most, angles - angle)),
                                   static_cast<size_t> (std::min (most, groups_end - g))},
                                  {group, 1, 1}, nullptr, first () ? nullptr : &first);
}

} // namespace sino::interleave
