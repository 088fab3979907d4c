// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/opencl/kernels.hpp"
#include "filters/live/opencl/problem.hpp"
#include "filters/opencl/arguments.hpp"
#include <cmath>

namespace sino::live {

KernelSight kernel_sight (const Sight &sight, const Plane &plane, int64_t place)
{
  const auto fixed = [] (double columns) { return static_cast<cl_long> (columns * 0x1p32); };
  return {.first = fixed (sight.first (plane)),
          .right = fixed (sight.right (plane)),
          .down = fixed (sight.down (plane)),
          .place = static_cast<cl_ulong> (place),
          .factor = sight.factor,
          .none = 0};
}

std::vector<KernelLine> kernel_lines (const Projections &projections, const Plane &plane)
{
  constexpr double no_share = Projections::no_share;
  std::vector<KernelLine> lines;
  for (int64_t j = 0; j < plane.height; j++) {
    const double row = projections.position (plane.row_of (j)), above = std::floor (row + no_share),
                 share = row - above;
    lines.push_back (projections.seen (row)
                         ? KernelLine{static_cast<cl_int> (above), share > no_share ? static_cast<float> (share) : 0}
                         : KernelLine{-2, 0});
  }
  return lines;
}

Kernels::Kernels (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem)
    : shape (setting.kernel->shape (setting, problem))
{
  const auto program = families::build (device, setting, problem, options);
  averages = {program, "live_average"};
  fills = {program, "live_fill"};
  all_sizes = {program, "live_sizes"};
  keeps = {program, "live_keep"};
  adds = {program, "live_add"};
}

cl::Event Kernels::launch (const cl::CommandQueue &queue, const cl::Kernel &kernel, int64_t columns,
                           int64_t lines) const
{
  const auto [wide, high] = shape.group;
  return opencl::launch (queue, kernel,
                         {round_up (static_cast<size_t> (columns), wide), round_up (static_cast<size_t> (lines), high)},
                         {wide, high});
}

cl::Event Kernels::average (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t first, Rows rows,
                            const Projections &kept, int64_t count, const cl::Buffer &out)
{
  opencl::set (averages, 0, in, opencl::Long{first}, kept.columns, rows.rows, rows.bin, kept.rows, count * kept.rows,
               out);
  return launch (queue, averages, kept.columns, count * kept.rows);
}

cl::Event Kernels::fill (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t columns, int64_t count,
                         const cl::Buffer &out)
{
  opencl::set (fills, 0, in, columns, count, out);
  return launch (queue, fills, columns, count);
}

cl::Event Kernels::sizes (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t columns, int64_t count,
                          const cl::Buffer &out)
{
  opencl::set (all_sizes, 0, in, columns, count, out);
  return opencl::launch (queue, all_sizes, {round_up (static_cast<size_t> (count), shape.group[0])}, {shape.group[0]});
}

cl::Event Kernels::keep (const cl::CommandQueue &queue, const cl::Buffer &in, int64_t number, const Projections &kept,
                         int64_t place, float weight, const cl::Buffer &values, const cl::Buffer &overflown)
{
  opencl::set (keeps, 0, in, opencl::Long{number * kept.rows * kept.columns}, kept.columns, kept.rows, kept.stride (),
               opencl::Long{place}, weight, values, overflown);
  return launch (queue, keeps, kept.columns, kept.rows);
}

cl::Event Kernels::add (const cl::CommandQueue &queue, const Projections &kept, const cl::Buffer &values,
                        const cl::Buffer &sights, int64_t count, const cl::Buffer &lines, const Plane &plane,
                        const cl::Buffer &picture)
{
  opencl::set (adds, 0, values, kept.columns, kept.stride (), sights, count, lines, plane.width, plane.height,
               plane.stride (), picture);
  return launch (queue, adds, plane.width, plane.height);
}

} // namespace sino::live
