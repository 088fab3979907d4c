// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/stages.hpp"
#include "device/opencl-memory.hpp"
#include "families/program.hpp"
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "filters/opencl/arguments.hpp"
#include <cmath>

namespace sino::fourier_reconstruct {

using opencl::launch, opencl::set;

namespace {

constexpr size_t across = 64; // work-items per group along lines
constexpr size_t square = 16;
constexpr size_t reading_items = 1 << 15; // enough for full memory bandwidth

// Terms per cell. Rays that move less than this per term touch the same cells along a whole piece.
float inverse_of (int64_t step)
{
  const auto cells = std::ldexp (static_cast<double> (step), -40);
  return static_cast<float> (std::fabs (cells) > 1e-8 ? 1 / cells : 1e8);
}

std::vector<DeviceRay> device_rays (const OpenclPlan &plan)
{
  std::vector<DeviceRay> rays;
  for (const auto &ray : plan.job.rays) {
    const auto step = step_of (ray, plan.gridding);
    const auto turn = std::remainder (plan.gridding.origin_of (ray) / static_cast<double> (plan.gridding.padded), 1.0);
    rays.push_back ({step.x, step.y, 2 * static_cast<cl_ulong> (std::llrint (std::ldexp (turn, 63))),
                     inverse_of (step.x), inverse_of (step.y), ray.weight, 0});
  }
  return rays;
}

// An exponent above the terms of all rays.
int exponent_of_terms (const OpenclPlan &plan, const Gridding &with_filter)
{
  float weight = 0;
  for (const auto &ray : plan.job.rays)
    weight = std::max (weight, std::abs (ray.weight));
  return with_filter.exponent_of (weight);
}

} // namespace

Stages::Stages (const OpenclDevice &d, const cl::CommandQueue &q, const OpenclPlan &p, const Gridding &with_filter,
                const Batches &b, const families::Setting &setting, int lanes, Allotment &allotment)
    : device (d), queue_ (q), plan (p), batches (b), pairs (static_cast<size_t> (b.slices / 2))
{
  device.attempt ([&] {
    make_kernels (setting, lanes);
    make_buffers (with_filter, allotment);
    set_arguments (with_filter);
  });
}

void Stages::make_kernels (families::Setting setting, int lanes)
{
  setting.parameters["SLICES"] = batches.slices;
  const auto program = families::build (device, setting, problem_of (plan.job, lanes, 1), options);
  find_largest_ = cl::Kernel (program, "find_largest");
  find_scales_ = cl::Kernel (program, "find_scales");
  lay_ = cl::Kernel (program, "lay");
  weigh_ = cl::Kernel (program, "weigh");
  spread_ = cl::Kernel (program, "spread");
  crop_ = cl::Kernel (program, "crop");
  gather_ = cl::Kernel (program, "gather");
  store_ = cl::Kernel (program, "store");
}

void Stages::make_buffers (const Gridding &with_filter, Allotment &allotment)
{
  const auto room = [&] (const char *item) { return take_buffer (device, allotment, item); };
  const auto table = [&] (const char *item, const auto &values) {
    return take_table (device, allotment, item, values);
  };
  lines_ = room (buffers::lines);
  terms = room (buffers::terms);
  cropped_ = room (buffers::cropped);
  broken_ = room (buffers::broken);
  largest = room (buffers::largest);
  scales = room (buffers::scales);
  rays = table (buffers::rays, device_rays (plan));
  tiles = table (buffers::tiles, plan.tiles.tiles);
  pieces = table (buffers::pieces, plan.tiles.pieces);
  phi = table (buffers::phi, with_filter.phi.coefficients ());
  response = table (buffers::response, with_filter.response);
  correction_ = table (buffers::correction, with_filter.correction);
  fill_zeros (queue_, lines_, batches.lines); // all lines are transformed, even unused ones
}

void Stages::set_arguments (const Gridding &with_filter)
{
  const auto &g = plan.gridding;
  const auto &roi = plan.job.roi;
  set (lay_, 1, plan.job.size);
  set (lay_, 5, lines_, g.padded, broken_);
  set (weigh_, 0, lines_, g.padded);
  set (find_largest_, 1, opencl::Long{std::ssize (plan.job.rays) * plan.job.size});
  set (find_largest_, 4, largest);
  set (find_scales_, 0, largest, exponent_of_terms (plan, with_filter), scales);
  set (weigh_, 3, rays);
  set (weigh_, 6, terms, scales);
  respond ();
  set (spread_, 0, terms, g.padded, rays, tiles, pieces, phi, g.grid, lines_);
  set (spread_, 9, batches.columns, scales);
  set (crop_, 0, lines_, g.grid, batches.columns);
  set (crop_, 5, g.size, roi.y, roi.height, cropped_);
  set (gather_, 0, cropped_, g.grid, roi.height);
  set (gather_, 5, lines_, batches.columns);
  set (store_, 0, lines_, g.grid, batches.columns);
  set (store_, 5, g.size, roi.x, roi.y, roi.width, roi.height, correction_, broken_);
}

void Stages::respond (const cl::Buffer &values, int64_t stride)
{
  set (weigh_, 4, values, stride);
}

void Stages::clear ()
{
  queue_.enqueueFillBuffer (broken_, cl_int{0}, 0, static_cast<size_t> (batches.slices) * sizeof (cl_int));
}

void Stages::scale (const cl::Buffer &bins, int lane, int slices)
{
  queue_.enqueueFillBuffer (largest, cl_int{0}, 0, pairs * sizeof (cl_int));
  set (find_largest_, 0, bins);
  set (find_largest_, 2, lane, slices);
  queue_.enqueueNDRangeKernel (find_largest_, cl::NullRange, {reading_items}, {across});
  queue_.enqueueNDRangeKernel (find_scales_, cl::NullRange, {pairs}, cl::NullRange);
}

cl::Event Stages::lay (const cl::Buffer &bins, int lane, int slices, const Part &part)
{
  set (lay_, 0, bins);
  set (lay_, 2, lane, slices, part.first);
  return launch (queue_, lay_, {groups (plan.gridding.padded, across), static_cast<size_t> (part.count)}, {across, 1});
}

void Stages::weigh (const Part &part)
{
  set (weigh_, 2, part.first);
  launch (queue_, weigh_, {groups (plan.terms (), across), static_cast<size_t> (part.count)}, {across, 1});
}

void Stages::spread (const Part &part, int64_t first_column)
{
  set (spread_, 8, first_column);
  queue_.enqueueNDRangeKernel (spread_, cl::NDRange (static_cast<size_t> (part.first) * spreading_items),
                               cl::NDRange (static_cast<size_t> (part.count) * spreading_items),
                               cl::NDRange (spreading_items));
}

void Stages::crop (const Part &columns)
{
  set (crop_, 3, columns.first, columns.count);
  launch (queue_, crop_, {groups (plan.job.roi.height, across), static_cast<size_t> (columns.count), pairs},
          {across, 1, 1});
}

void Stages::gather (const Part &rows)
{
  set (gather_, 3, rows.first, rows.count);
  launch (queue_, gather_, {groups (plan.gridding.grid, square), groups (rows.count, square), pairs},
          {square, square, 1});
}

cl::Event Stages::store (const Part &rows, int lane, int slices, const cl::Buffer &out)
{
  set (store_, 3, rows.first, rows.count);
  set (store_, 12, lane, slices, out);
  return launch (queue_, store_, {groups (plan.job.roi.width, across), static_cast<size_t> (rows.count), pairs},
                 {across, 1, 1});
}

} // namespace sino::fourier_reconstruct
