// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/clfft-rows.hpp"
#include "device/opencl-memory.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>

namespace sino::ramp_filter {

namespace {

constexpr size_t at_once = 32 << 20; // bytes of padded rows: enough to fill a device, and about the size of its cache

// Names of items on the bill:
constexpr char values_item[] = "padded rows", scratch_item[] = "scratch of transforms";

size_t row_bytes (int64_t padded)
{
  return static_cast<size_t> (padded) * sizeof (float);
}

int64_t rows_at_once (int64_t padded)
{
  return std::min (static_cast<int64_t> (at_once / row_bytes (padded)), most_groups);
}

} // namespace

ClfftRows::ClfftRows (const RowsSetup &setup)
    : device (setup.device), width (setup.width), lanes (setup.problem.lanes), padded (std::ssize (setup.filter.p)),
      group (setup.setting.kernel->shape (setup.setting, setup.problem).group[0]), allotment (setup.memory)
{
  device.attempt ([&] {
    const auto program = families::build (device, setup.setting, setup.problem, options);
    lay = cl::Kernel (program, "lay");
    multiply = cl::Kernel (program, "filter");
    crop = cl::Kernel (program, "crop");
    factors = factors_of (setup);
  });
}

void ClfftRows::memory (const OpenclDevice &device, int64_t padded, int64_t rows, Bill &bill)
{
  if (padded / 2 > OpenclFft::longest)
    fail (SINO_ERROR_DEVICE,
          "rows of %" G_GINT64_FORMAT
          " values are too long for the transforms on %s (%s), which take at most %" G_GINT64_FORMAT
          ": set a lower padding, or variant=native",
          padded, device.id.c_str (), device.name.c_str (), 2 * OpenclFft::longest);
  const auto together = static_cast<size_t> (std::min (rows, std::max<int64_t> (rows_at_once (padded), 32)));
  add_buffers (bill, values_item, together * row_bytes (padded));
  add_buffers (bill, scratch_item, together * OpenclFft::scratch_of_row (device, padded / 2));
}

std::pair<cl::Event, cl::Event> ClfftRows::enqueue (const cl::CommandQueue &queue, const cl::Buffer &in,
                                                    const cl::Buffer &out, int64_t rows, int64_t angles)
{
  const auto lines = divide_up (rows, lanes) * angles;
  const auto most = std::min (lines, std::max<int64_t> (1, rows_at_once (padded) / lanes));
  return device.attempt ([&] {
    if (!values ())
      values = take_buffer (device, allotment, values_item);
    require (values, static_cast<size_t> (most * lanes) * row_bytes (padded), values_item);
    opencl::set (lay, 0, in, width, values, padded);
    opencl::set (multiply, 0, values, factors, padded / 2);
    opencl::set (crop, 0, values, padded, out, width, angles, rows);
    std::pair<cl::Event, cl::Event> all;
    for (int64_t first = 0; first < lines; first += most) {
      const auto part = filter_lines (queue, first, std::min (most, lines - first));
      all = {first == 0 ? part.first : all.first, part.second};
    }
    return all;
  });
}

cl::NDRange ClfftRows::items (int64_t columns, int64_t lines) const
{
  return {round_up (static_cast<size_t> (columns), group), static_cast<size_t> (lines)};
}

std::pair<cl::Event, cl::Event> ClfftRows::filter_lines (const cl::CommandQueue &queue, int64_t first, int64_t count)
{
  cl::Event begin, end;
  const cl::NDRange from (0, static_cast<size_t> (first)), across (group, 1);
  const auto &transform = transform_of (count * lanes);
  queue.enqueueNDRangeKernel (lay, from, items (padded, count), across, nullptr, &begin);
  transform.forward (queue, values, scratch);
  queue.enqueueNDRangeKernel (multiply, cl::NullRange, items (padded / 4 + 1, count * lanes), across);
  transform.backward (queue, values, scratch);
  queue.enqueueNDRangeKernel (crop, from, items (width, count), across, nullptr, &end);
  return {begin, end};
}

// Transforms are kept by number of rows, because blocks have few sizes.
const OpenclFft &ClfftRows::transform_of (int64_t rows)
{
  const auto found = transforms.try_emplace (rows, device, padded / 2, rows).first;
  if (const auto bytes = found->second.scratch (); bytes > 0) {
    if (!scratch ())
      scratch = take_buffer (device, allotment, scratch_item);
    require (scratch, bytes, scratch_item);
  }
  return found->second;
}

} // namespace sino::ramp_filter
