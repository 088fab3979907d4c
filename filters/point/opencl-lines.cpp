// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/point/opencl-lines.hpp"
#include "filters/point/opencl-elements.hpp"
#include <algorithm>

namespace sino::point {

OpenclLines::OpenclLines (const OpenclDevice &d, const families::Family &family, const families::Setting &setting,
                          const families::Problem &problem)
    : device (d), group (setting.kernel->shape (setting, problem).group[0])
{
  std::string name = family.name;
  std::ranges::replace (name, '-', '_');
  device.attempt (
      [&] { kernel = cl::Kernel (build_precise (device, setting, problem, family.options), name.c_str ()); });
}

OpenclLines::Span OpenclLines::enqueue (const cl::CommandQueue &queue, int64_t width, Interval lines) const
{
  constexpr int64_t most = 32768; // all drivers accept this many work-groups in any dimension except the first
  Span span;
  for (auto line = lines.begin; line < lines.end; line += most) {
    queue.enqueueNDRangeKernel (
        kernel, {0, static_cast<size_t> (line)},
        {round_up (static_cast<size_t> (width), group), static_cast<size_t> (std::min (most, lines.end - line))},
        {group, 1}, nullptr, &span.last);
    if (!span.first ())
      span.first = span.last;
  }
  return span;
}

} // namespace sino::point
