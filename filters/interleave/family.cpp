// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/interleave/family.hpp"
#include "families/trial.hpp"
#include "filters/interleave/opencl-lanes.hpp"
#include "kernels/opencl/source.hpp"
#include <cstring>

namespace sino::interleave {

using namespace families;

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
  auto from = content (in), got = std::vector<std::byte> (out.bytes ());
  const auto truth = content (out);
  return device.attempt ([&] {
    const cl::CommandQueue queue (device.context (), device.device);
    const cl::Buffer source (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, from.size (), from.data ());
    const cl::Buffer target (device.context (), CL_MEM_READ_WRITE, got.size ());
    queue.enqueueFillBuffer (target, cl_uchar{0xa5}, 0, got.size ());
    OpenclLanes (device, setting, problem).enqueue (queue, in, source, out, target);
    queue.enqueueReadBuffer (target, CL_TRUE, 0, got.size (), got.data ());
    return share_different (got, truth);
  });
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "interleave",
      .words = {{.name = "bytes", .help = "Bytes of a value", .from = Word::From::scan},
                {.name = "input-lanes", .help = "Lanes of the blocks that come in", .from = Word::From::scan}},
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
