// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/interleave/opencl-lanes.hpp"
#include "families/trial.hpp"
#include "filters/opencl/arguments.hpp"
#include "kernels/opencl/source.hpp"
#include <algorithm>
#include <cstring>

namespace sino::interleave {

using namespace families;

namespace {

std::string options (const families::Setting &, const families::Problem &problem)
{
  return text (" -DSIZE=%d -DINPUT_LANES=%d", static_cast<int> (problem["bytes"]),
               static_cast<int> (problem["input-lanes"]));
}

} // namespace

families::Problem problem_of (size_t bytes, int input_lanes, int lanes)
{
  return {lanes, 1000, {{"bytes", static_cast<int64_t> (bytes)}, {"input-lanes", input_lanes}}};
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
    opencl::set (kernel, 0, from, opencl::Long{group_stride}, opencl::Long{angle_stride});
    opencl::set (kernel, 6, out.rows ().size (), in.angles ().begin - out.angles ().begin, out.angles ().size (),
                 in.line (), to);
    for (int64_t row = 0; row < out.rows ().size ();) {
      const auto run = run_at (row, in.rows (), out.rows ());
      if (run.end > run.first)
        launch (queue, run, in.line (), in.angles ().size (), first);
      row = std::max (run.end, row + 1);
    }
    return first;
  });
}

// Returns the run of rows that begins with `row` and is contiguous in input and output. Empty if the input does not
// have the row.
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
  opencl::set (kernel, 3, run.first, run.end, run.shift);
  const auto tile = std::max (32, 256 / lanes); // the kernel's COLUMNS
  const auto tiles = static_cast<size_t> (divide_up (columns, tile));
  const auto groups_end = divide_up (run.end, lanes);
  for (int64_t g = run.first / lanes; g < groups_end; g += most_groups)
    for (int64_t angle = 0; angle < angles; angle += most_groups)
      queue.enqueueNDRangeKernel (kernel, {0, static_cast<size_t> (angle), static_cast<size_t> (g)},
                                  {tiles * group, static_cast<size_t> (std::min (most_groups, angles - angle)),
                                   static_cast<size_t> (std::min (most_groups, groups_end - g))},
                                  {group, 1, 1}, nullptr, first () ? nullptr : &first);
}

namespace {

constexpr int64_t rows = 37, angles = 3, columns = 70;

Element element_of (const Problem &problem)
{
  return problem["bytes"] == 1 ? Element::u8 : problem["bytes"] == 2 ? Element::u16 : Element::f32;
}

// Expected content of a block of sinograms: each value encodes its origin, and is 0 in lanes without a row.
std::vector<std::byte> content (const Block &block)
{
  const auto size = size_of (block.format ().element);
  std::vector<std::byte> bytes (block.bytes ());
  for (int64_t row = 0; row < rows; row++)
    for (int64_t angle = 0; angle < angles; angle++)
      for (int64_t column = 0; column < columns; column++) {
        const auto value = static_cast<uint32_t> ((angle * rows + row) * columns + column + 1) * 2654435761u;
        std::memcpy (&bytes[static_cast<size_t> (block.offset (angle, row) + column * block.lanes ()) * size], &value,
                     size);
      }
  return bytes;
}

// Share of wrong bytes.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto format = std::make_shared<const Format> (
      sinograms (element_of (problem), {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns}));
  const Region all{{0, rows}, {0, angles}};
  const Block in (format, {static_cast<int> (problem["input-lanes"])}, all, nullptr),
      out (format, {problem.lanes}, all, nullptr);
  std::vector<std::byte> got (out.bytes ());
  compute (device, content (in), got, [&] (auto &queue, auto &from, auto &to) {
    queue.enqueueFillBuffer (to, cl_uchar{0xa5}, 0, out.bytes ());
    OpenclLanes (device, setting, problem).enqueue (queue, in, from, out, to);
  });
  return share_different (got, content (out));
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "interleave",
      .words = {{.name = "bytes", .help = "Bytes of a value", .from = Word::From::scan},
                {.name = "input-lanes", .help = "Lanes of the input blocks", .from = Word::From::scan}},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernel",
                   .source = {"interleave/interleave.cl", opencl::opencl_source},
                   .lanes = {1, 2, 4, 8, 16, 32},
                   .parameters = {{.name = "GROUP", .values = {256, 64, 128}}},
                   .shape = group_shape}},
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = problem_of (sizeof (float), 1, 4),
      .options = options,
      .trial = trial_error,
      .most_error = 0};
  return all;
}

} // namespace sino::interleave
