// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/launcher.hpp"
#include "base/error.hpp"
#include "families/program.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>
#include <cmath>

namespace sino::back_project {

using families::Setting, families::Shape;

namespace {

// struct Ray of the kernels, in units of 2^-40 of a bin.
struct FixedRay {
  cl_long origin, x, y;
  cl_float weight, across, down, unused;
};

std::vector<FixedRay> fixed_rays (const Job &job)
{
  const auto fixed = [] (double bins) { return static_cast<cl_long> (std::llrint (std::ldexp (bins, 40))); };
  const double to_first = 0.5 - 0.5 * static_cast<double> (job.size);
  std::vector<FixedRay> rays;
  for (const auto &ray : job.rays) {
    const double origin = ray.origin + to_first * ray.cos - to_first * ray.sin +
                          (job.interpolation == Interpolation::nearest ? 0.5 : 0.0);
    // No pixel sees bins beyond this distance; larger values would overflow the integers.
    const double far = 4 * static_cast<double> (job.size);
    rays.push_back ({fixed (std::clamp (origin, -far, far)), fixed (ray.cos), fixed (-ray.sin), ray.weight,
                     static_cast<float> (ray.cos), static_cast<float> (-ray.sin), 0});
  }
  return rays;
}

// Kernels round positions relative to the corner of a work-group's area. Areas start where they do in the full slice,
// so that the bits of a pixel do not depend on the region.
Roi frame_of (const Roi &roi, const Shape &shape)
{
  const auto x = roi.x / shape.area[0] * shape.area[0], y = roi.y / shape.area[1] * shape.area[1];
  return {.x = x, .y = y, .width = roi.x + roi.width - x, .height = roi.y + roi.height - y};
}

Shape shape_of (const Job &job, const Setting &setting)
{
  return setting.kernel->shape (setting, problem_of (job, 1));
}

// Names of items on the bill:
constexpr char rays_item[] = "rays", counters_item[] = "counters of groups", images_item[] = "images of sinograms";

} // namespace

size_t bins_bytes (const Job &job)
{
  return static_cast<size_t> (job.lanes) * job.rays.size () * static_cast<size_t> (job.size) * (job.half ? 2 : 4);
}

void Launcher::memory (const Job &job, const Setting &setting, size_t input_reached, size_t output_reached, Bill &bill)
{
  const auto shape = shape_of (job, setting);
  add_buffers (bill, rays_item, job.rays.size () * sizeof (FixedRay));
  add_buffers (bill, counters_item, shape.counters * sizeof (cl_uint));
  // In blocks with several groups, only the first group is used in place, without a copy.
  if (shape.image)
    add_buffers (bill, images_item, bins_bytes (job), Staging::slots);
  else if (input_reached == 0 || input_reached >= 2 * bins_bytes (job))
    add_buffers (bill, Uploads::item, bins_bytes (job), Staging::slots);
  slice::OpenclFrames::memory (frame_of (job.roi, shape), job.roi, job.lanes, output_reached, bill);
}

Launcher::Launcher (const OpenclDevice &d, const Monitor &m, const Job &j, const Setting &setting, Allotment &a,
                    Counters *counters)
    : device (d), monitor (m), job (j), shape (shape_of (j, setting)), allotment (a), frame (frame_of (j.roi, shape)),
      queues (d), uploads (queues, a), frames (queues, frame, j.roi, a), clock (queues, counters)
{
  const auto slices_bytes = static_cast<size_t> (frame.width * frame.height * job.lanes) * sizeof (float);
  const auto largest = std::max (shape.image ? 0 : bins_bytes (job), slices_bytes);
  if (largest > device.largest_buffer)
    fail (SINO_ERROR_MEMORY,
          "%d slices at once need a buffer of %s, but %s (%s) takes at most %s: set 'lanes' of 'interleave' lower",
          job.lanes, bytes_text (static_cast<double> (largest)).c_str (), device.id.c_str (), device.name.c_str (),
          bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  device.attempt ([&] { prepare (setting); });
}

void Launcher::prepare (const Setting &setting)
{
  kernel = cl::Kernel (families::build (device, setting, problem_of (job, 1), options), "back_project");
  const auto &context = device.context ();
  if (shape.image)
    for (auto &each : images) {
      allotment.claim (images_item);
      each.memory = cl::Image2D (context, CL_MEM_READ_ONLY, families::image_format (device, *shape.image).value (),
                                 static_cast<size_t> (job.size), job.rays.size ());
    }
  rays = take_table (device, allotment, rays_item, fixed_rays (job));
  opencl::set (kernel, 1, rays, job.rays.size (), job.size, frame.x, frame.y, frame.width, frame.height);
  if (shape.counters > 0) {
    group_counts = take_buffer (device, allotment, counters_item);
    queues.kernels.enqueueFillBuffer (group_counts, cl_uint{0}, 0, shape.counters * sizeof (cl_uint));
    kernel.setArg (10, group_counts);
  }
}

void Launcher::run (const std::byte *values, std::span<float *const> slices)
{
  std::vector<MemoryPiece> places;
  for (auto *slice : slices)
    places.push_back ({reinterpret_cast<std::byte *> (slice)});
  run ({const_cast<std::byte *> (values)}, places);
}

void Launcher::run (const MemoryPiece &values, std::span<const MemoryPiece> slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto bins = take_in (values); // must live until the kernel is in the queue
    kernel.setArg (0, bins);
    opencl::set (kernel, 8, slices.size (), frames.take (slices, job.lanes));
    launch (std::ssize (slices));
    const auto computed = kernels_done (queues);
    taken (values, computed);
    frames.finish (slices, computed);
  });
}

cl::Memory Launcher::take_in (const MemoryPiece &values)
{
  if (!shape.image)
    return uploads.take (values, bins_bytes (job));
  turn = (turn + 1) % std::size (images);
  auto &each = images[turn];
  const cl::array<size_t, 3> corner{0, 0, 0}, extent{static_cast<size_t> (job.size), job.rays.size (), 1};
  if (values.in_reach ()) {
    hold (queues.kernels, each.last);
    queues.kernels.enqueueCopyBufferToImage (values.buffer->lend (queues.kernels, OpenclBuffer::Use::read), each.memory,
                                             values.offset, corner, extent);
  } else {
    hold_transfers (queues.device, queues.upload, each.last);
    upload (queues, values, [&] (const cl::CommandQueue &queue, cl::Event &there) {
      queue.enqueueWriteImage (each.memory, CL_FALSE, corner, extent, 0, 0, values.address (), nullptr, &there);
    });
  }
  return each.memory;
}

void Launcher::taken (const MemoryPiece &values, const cl::Event &event)
{
  if (!shape.image)
    return uploads.until (event);
  images[turn].last = event;
  if (values.in_reach ())
    values.buffer->until (event, OpenclBuffer::Use::read);
}

void Launcher::launch (int64_t slices)
{
  const auto pixels = static_cast<double> (shape.area[0] * shape.area[1] * slices);
  families::launch_in_parts (monitor, clock, kernel,
                             {.group = shape.group,
                              .columns = divide_up (frame.width, shape.area[0]),
                              .rows = divide_up (frame.height, shape.area[1]),
                              .updates = pixels * static_cast<double> (job.rays.size ())});
}

} // namespace sino::back_project
