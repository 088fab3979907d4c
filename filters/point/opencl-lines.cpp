// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/point/opencl-lines.hpp"
#include "filters/point/opencl-elements.hpp"
#include <algorithm>

namespace sino::point {

LinesThere there (const BlockLines &lines)
{
  const auto whole = [] (int64_t n) { return static_cast<cl_int> (n); };
  return {.width = whole (lines.width),
          .angles = whole (lines.angles),
          .angle_step = whole (lines.angle_step),
          .places = whole (lines.places),
          .place_step = whole (lines.place_step),
          .lanes = whole (lines.lanes),
          .last_lanes = whole (lines.last_lanes)};
}

static cl::Kernel named_kernel (const OpenclDevice &device, const cl::Program &program, const char *name)
{
  return device.attempt ([&] { return cl::Kernel (program, name); });
}

static std::string kernel_name (std::string node)
{
  std::ranges::replace (node, '-', '_');
  return node;
}

OpenclLines::OpenclLines (const OpenclDevice &device, const families::Family &family, const families::Setting &setting,
                          const families::Problem &problem)
    : OpenclLines (device, build_precise (device, setting, problem, family.options), kernel_name (family.name).c_str (),
                   setting.kernel->shape (setting, problem).group[0])
{
}

OpenclLines::OpenclLines (const OpenclDevice &device, const cl::Program &program, const char *name, size_t g)
    : group (g), kernel (named_kernel (device, program, name))
{
}

OpenclLines::Span OpenclLines::enqueue (const cl::CommandQueue &queue, int64_t width, Interval lines) const
{
  Span span;
  for (auto line = lines.begin; line < lines.end; line += most_groups) {
    queue.enqueueNDRangeKernel (
        kernel, {0, static_cast<size_t> (line)},
        {round_up (static_cast<size_t> (width), group), static_cast<size_t> (std::min (most_groups, lines.end - line))},
        {group, 1}, nullptr, &span.last);
    if (!span.first ())
      span.first = span.last;
  }
  return span;
}

} // namespace sino::point
