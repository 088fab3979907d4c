// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/own-transforms.hpp"
#include "filters/opencl/arguments.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::fourier_reconstruct {

using opencl::set;

namespace {

constexpr const char *source = "fourier-reconstruct/transform.cl";

// The second dimension counts lines beside each other, the third pairs of slices.
cl::Event launch (const cl::CommandQueue &queue, const cl::Kernel &kernel, const LinePlan &lines, int64_t count,
                  int64_t pairs)
{
  const auto items = static_cast<size_t> (lines.items), beside = static_cast<size_t> (lines.lines);
  return opencl::launch (queue, kernel, {items, groups (count, beside), static_cast<size_t> (pairs)},
                         {items, beside, 1});
}

} // namespace

OwnTransforms::OwnTransforms (const OpenclDevice &d, const OpenclPlan &p, const Batches &b, Allotment &allotment)
    : device (d), plan (p), batches (b), of_rows (line_plan (p.gridding.padded, d.facts ()).value ()),
      of_grid (line_plan (p.gridding.grid, d.facts ()).value ())
{
  device.attempt ([&] {
    const auto text = opencl::opencl_source (source);
    rows_ = {device.build (source, text, of_rows.options () + " -DFORWARD"), "transform"};
    const auto program = device.build (source, text, of_grid.options () + (plan.job.mask ? " -DMASK" : ""));
    columns_ = {program, "transform_columns"};
    slices_ = {program, "transform_rows"};
    row_turns = take_turns (device, of_rows, allotment, buffers::row_turns);
    grid_turns = take_turns (device, of_grid, allotment, buffers::grid_turns);
  });
}

void OwnTransforms::rows (const cl::CommandQueue &queue, const cl::Buffer &lines)
{
  const auto count = batches.rays * batches.slices / 2;
  set (rows_, 0, lines, count, row_turns);
  launch (queue, rows_, of_rows, count, 1);
}

void OwnTransforms::columns (Stages &stages, const Part &part)
{
  const auto &roi = plan.job.roi;
  set (columns_, 0, stages.lines (), batches.columns, part.first, part.count, plan.gridding.size, roi.y, roi.height,
       stages.cropped (), grid_turns);
  launch (stages.queue (), columns_, of_grid, part.count, batches.slices / 2);
}

cl::Event OwnTransforms::slices (Stages &stages, const Part &part, int lane, int slices, const cl::Buffer &out)
{
  const auto &roi = plan.job.roi;
  set (slices_, 0, stages.lines (), batches.columns, part.first, part.count, plan.gridding.size, roi.x, roi.y,
       roi.width, roi.height, stages.correction (), stages.broken (), lane, slices, out, grid_turns);
  return launch (stages.queue (), slices_, of_grid, part.count, batches.slices / 2);
}

} // namespace sino::fourier_reconstruct
