// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/group.hpp"
#include "families/program.hpp"
#include "filters/opencl/arguments.hpp"

namespace sino::cone_back_project {

namespace {

// Names of items on the bill:
constexpr char projections_item[] = "groups of projections", views_item[] = "their views";

size_t row_bytes (int64_t columns)
{
  return static_cast<size_t> (columns) * sizeof (float);
}

} // namespace

void Group::memory (const Job &job, int64_t projections, int64_t rows, size_t groups, Bill &bill)
{
  const auto n = static_cast<size_t> (projections);
  add_buffers (bill, projections_item, n * static_cast<size_t> (rows) * row_bytes (job.columns), groups);
  add_buffers (bill, views_item, n * sizeof (KernelView), groups);
}

Group::Group (OpenclQueues &q, Allotment &allotment, const Job &job, const std::optional<families::ImageShape> &image)
    : queues (q), columns (job.columns), images (image), views (take_buffer (q.device, allotment, views_item)),
      most_ (static_cast<int64_t> (views.getInfo<CL_MEM_SIZE> () / sizeof (KernelView)))
{
  if (!images) {
    bins = take_buffer (queues.device, allotment, projections_item);
    return;
  }
  const auto layers = static_cast<size_t> (most_);
  const auto height = allotment.claim (projections_item) / (layers * row_bytes (columns));
  array = queues.device.attempt ([&] {
    return cl::Image2DArray (queues.device.context (), CL_MEM_READ_ONLY,
                             families::image_format (queues.device, *image).value (), layers,
                             static_cast<size_t> (columns), height, 0, 0);
  });
  written = static_cast<int64_t> (height); // a new image may contain any values
}

void Group::clear ()
{
  hold_transfers (queues.device, queues.upload, last); // `last` is an event of the kernels' queue
  count = 0;
  taken = {};
}

void Group::put (const Block &in, Interval angles, std::span<const KernelView> seen)
{
  held = in.rows ();
  for (const auto &view : seen)
    taken = taken.cover ({view.first_slice, view.end_slice});
  const MemoryPiece from (in, static_cast<size_t> (in.offset (angles.begin - in.angles ().begin, 0)) * sizeof (float));
  if (images)
    put_images (from, angles.size ());
  else
    put_values (from, angles.size ());
  if (from.in_reach ())
    from.buffer->until (kernels_done (queues), OpenclBuffer::Use::read);
  const auto one = sizeof (KernelView);
  cl::Event there;
  queues.upload.enqueueWriteBuffer (views, CL_FALSE, static_cast<size_t> (count) * one, seen.size () * one,
                                    seen.data (), nullptr, &there);
  queues.upload.flush ();
  hold (queues.kernels, there);
  count += angles.size ();
}

void Group::put_values (const MemoryPiece &from, int64_t projections)
{
  const auto one = static_cast<size_t> (held.size ()) * row_bytes (columns);
  const auto bytes = static_cast<size_t> (projections) * one, to = static_cast<size_t> (count) * one;
  if (from.in_reach ())
    queues.kernels.enqueueCopyBuffer (from.buffer->lend (queues.kernels, OpenclBuffer::Use::read), bins, from.offset,
                                      to, bytes);
  else
    upload (queues, from, [&] (const cl::CommandQueue &queue, cl::Event &there) {
      queue.enqueueWriteBuffer (bins, CL_FALSE, to, bytes, from.address (), nullptr, &there);
    });
}

// Copies projections to images. Rows below them that belong to earlier, higher projections would be seen beyond the
// detector: sets them to zero.
void Group::put_images (const MemoryPiece &from, int64_t projections)
{
  const auto extent = [&] (int64_t rows, int64_t layers) {
    return cl::array<size_t, 3>{static_cast<size_t> (columns), static_cast<size_t> (rows),
                                static_cast<size_t> (layers)};
  };
  const cl::array<size_t, 3> to{0, 0, static_cast<size_t> (count)};
  if (from.in_reach ())
    queues.kernels.enqueueCopyBufferToImage (from.buffer->lend (queues.kernels, OpenclBuffer::Use::read), array,
                                             from.offset, to, extent (held.size (), projections));
  else
    upload (queues, from, [&] (const cl::CommandQueue &queue, cl::Event &there) {
      queue.enqueueWriteImage (array, CL_FALSE, to, extent (held.size (), projections), 0, 0, from.address (), nullptr,
                               &there);
    });
  if (held.size () < written)
    queues.kernels.enqueueFillImage (array, cl_float4{}, {0, static_cast<size_t> (held.size ()), 0},
                                     extent (written - held.size (), most_));
  written = held.size ();
}

void Group::set_arguments (cl::Kernel &kernel) const
{
  if (images)
    kernel.setArg (0, array);
  else
    kernel.setArg (0, bins);
  opencl::set (kernel, 1, views, count);
}

} // namespace sino::cone_back_project
