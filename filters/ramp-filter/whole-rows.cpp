// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/whole-rows.hpp"
#include "base/text.hpp"
#include "device/opencl-memory.hpp"
#include "filters/opencl/arguments.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::ramp_filter {

namespace {

constexpr const char *source = "ramp-filter/whole.cl";
constexpr char turns_item[] = "factors of transforms"; // name on the bill

} // namespace

void WholeRows::memory (const LinePlan &plan, Bill &bill)
{
  add_buffers (bill, turns_item, plan.turns_bytes ());
}

WholeRows::WholeRows (const RowsSetup &setup, const LinePlan &p)
    : device (setup.device), plan (p), width (setup.width), lanes (setup.problem.lanes)
{
  device.attempt ([&] {
    const auto program = device.build (source, opencl::opencl_source (source),
                                       plan.options () + text (" -DLANES=%d", setup.problem.lanes) +
                                           options (setup.setting, setup.problem));
    kernel = {program, "filter_rows"};
    factors = factors_of (setup);
    turns = take_turns (device, plan, setup.memory, turns_item);
    opencl::set (kernel, 6, factors, turns);
  });
}

std::pair<cl::Event, cl::Event> WholeRows::enqueue (const cl::CommandQueue &queue, const cl::Buffer &in,
                                                    const cl::Buffer &out, int64_t rows, int64_t angles)
{
  const auto lines = divide_up (rows, lanes) * angles;
  const auto items = static_cast<size_t> (plan.items) * static_cast<size_t> (plan.lines);
  const auto groups = static_cast<size_t> (divide_up (lines * lanes, plan.lines));
  return device.attempt ([&] {
    opencl::set (kernel, 0, in, width, out, lines, angles, rows);
    const auto event = opencl::launch (queue, kernel, groups * items, items);
    return std::pair (event, event);
  });
}

} // namespace sino::ramp_filter
