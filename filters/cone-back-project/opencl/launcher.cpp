// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "base/error.hpp"
#include "families/program.hpp"
#include "filters/cone-back-project/opencl/shapes.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>

namespace sino::cone_back_project {

using families::Setting;

namespace {

constexpr char slab_item[] = "slices of a work item"; // name on the bill

size_t slice_bytes (const Job &job)
{
  return static_cast<size_t> (job.volume.columns * job.volume.lines) * sizeof (float);
}

// Returns the room for groups: the memory of the device that is not reserved for slices. If a work item has only one
// slice, this also leaves room for the slice and the blocks.
GroupRoom group_room (const OpenclDevice &device, const Job &job, const Launcher::Size &size)
{
  const auto taken = static_cast<double> (slice_bytes (job) + size.blocks);
  const double for_groups = (1 - device.use.slice_share) * device.room ();
  const double all = size.slices > 1 ? for_groups : std::max (std::min (for_groups, device.room () - taken), 0.0);
  const auto images = device.attempt ([&] { return device.device.getInfo<CL_DEVICE_IMAGE_MAX_ARRAY_SIZE> (); });
  return {all, device.largest_buffer, images};
}

// Returns the number of slices in one buffer, at most `wanted`.
int64_t slab_slices (const OpenclDevice &device, const Job &job, int64_t wanted)
{
  const auto fit = static_cast<int64_t> (device.largest_buffer / slice_bytes (job));
  if (fit < 1)
    fail (SINO_ERROR_MEMORY,
          "a slice needs a buffer of %s, but %s (%s) takes at most %s: set roi-width and roi-height, or device=native",
          bytes_text (static_cast<double> (slice_bytes (job))).c_str (), device.id.c_str (), device.name.c_str (),
          bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  return std::min (fit, wanted);
}

} // namespace

int64_t views_at_once (const Setting &setting, const Job &job, int64_t rows, const GroupRoom &room)
{
  const auto one = std::max<size_t> (static_cast<size_t> (rows * job.columns) * sizeof (float), 1);
  auto fit = static_cast<size_t> (std::min (int64_t{setting["VIEWS"]}, std::ssize (job.projections)));
  fit = std::min (fit, room.largest_buffer / one);
  fit = static_cast<size_t> (std::min (static_cast<double> (fit), room.all / (2 * static_cast<double> (one))));
  if (setting.kernel->shape (setting, problem_of (job)).image)
    fit = std::min (fit, room.most_images);
  return std::max<int64_t> (1, static_cast<int64_t> (fit));
}

void Launcher::memory (const OpenclDevice &device, const Job &job, const Setting &setting, const Size &size, Bill &bill)
{
  Group::memory (job, views_at_once (setting, job, size.rows, group_room (device, job, size)), size.rows, bill);
  const auto slices = slab_slices (device, job, size.slices);
  add_buffers (bill, slab_item, static_cast<size_t> (slices) * slice_bytes (job),
               static_cast<size_t> (divide_up (size.slices, slices)));
  add_bytes (bill, "views as kernels read them", job.projections.size () * sizeof (KernelView));
  add_bytes (bill, "views of the scan", job.projections.size () * sizeof (Projection));
}

Launcher::Launcher (const OpenclDevice &d, const Monitor &m, const Job &j, const Setting &setting, Allotment &a,
                    Counters *counters)
    : device (d), monitor (m), job (j), shape (setting.kernel->shape (setting, problem_of (j))), voxels (setting["Z"]),
      views (kernel_views (j)), allotment (a), queues (d),
      groups{{queues, a, j, shape.image}, {queues, a, j, shape.image}}, clock (queues, counters)
{
  device.attempt ([&] {
    kernel = {families::build (device, setting, problem_of (job), options), "cone_back_project"};
  });
}

void Launcher::begin (Interval slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    used = 0;
    added = 0;
    for (auto from = slices.begin; from < slices.end;) {
      const auto end = from + slab_slices (device, job, slices.end - from);
      if (used == slabs.size ())
        slabs.push_back ({take_buffer (device, allotment, slab_item), {}});
      auto &slab = slabs[used++];
      slab.slices = {from, end};
      require (slab.memory, static_cast<size_t> (slab.slices.size ()) * slice_bytes (job), slab_item);
      from = end;
    }
    groups[turn].clear ();
  });
}

void Launcher::add (const Block &in)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto all = in.angles ();
    for (auto at = all.begin; at < all.end;) {
      auto &group = groups[turn];
      const auto n = std::min (all.end - at, group.most () - group.size ());
      group.put (in, {at, at + n}, std::span (views).subspan (static_cast<size_t> (at), static_cast<size_t> (n)));
      at += n;
      if (group.size () == group.most ())
        launch ();
    }
  });
}

void Launcher::end ()
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    if (groups[turn].size () > 0)
      launch ();
    computed = kernels_done (queues);
  });
}

void Launcher::launch ()
{
  auto &group = groups[turn];
  group.set_arguments (kernel);
  if (added == 0) // the slices of the previous work item must leave the slabs first
    hold (queues.kernels, delivered);
  for (size_t i = 0; i < used; i++)
    add_to (slabs[i]);
  group.until (kernels_done (queues));
  added += group.size ();
  turn = 1 - turn;
  groups[turn].clear ();
}

void Launcher::add_to (const Slab &slab)
{
  const auto &group = groups[turn];
  opencl::set (kernel, 3, added == 0, frame_of (job, slab.slices, group.rows ()), slab.memory);
  const auto layers = divide_up (slab.slices.size (), voxels);
  families::launch_in_parts (monitor, clock, kernel,
                             {.group = shape.group,
                              .columns = divide_up (job.volume.columns, shape.area[0]),
                              .rows = divide_up (job.volume.lines, shape.area[1]) * layers,
                              .updates = static_cast<double> (shape.area[0] * shape.area[1] * voxels * group.size ())});
  traffic += static_cast<double> (slab.slices.size ()) * static_cast<double> (slice_bytes (job)) * (added == 0 ? 1 : 2);
}

void Launcher::deliver (Block &block)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    // Two blocks in transfer keep the bus busy. The consumer may then already have released the block before them.
    wait_for (before);
    const MemoryPiece to (block);
    cl::Event done;
    for (size_t i = 0; i < used; i++) {
      const auto &slab = slabs[i];
      const auto part = slab.slices.meet (block.rows ());
      if (part.empty ())
        continue;
      const auto from = static_cast<size_t> (slab.slices.place (part.begin)) * slice_bytes (job),
                 at = static_cast<size_t> (block.rows ().place (part.begin)) * slice_bytes (job),
                 bytes = static_cast<size_t> (part.size ()) * slice_bytes (job);
      if (to.in_reach ())
        queues.kernels.enqueueCopyBuffer (slab.memory, to.buffer->lend (queues.kernels, OpenclBuffer::Use::write), from,
                                          to.offset + at, bytes, nullptr, &done);
      else
        done = download (queues, to, computed, [&] (const cl::CommandQueue &queue, cl::Event &there) {
          queue.enqueueReadBuffer (slab.memory, CL_FALSE, from, bytes, to.address () + at, nullptr, &there);
        });
    }
    if (to.in_reach ()) {
      queues.kernels.flush ();
      to.buffer->until (done, OpenclBuffer::Use::write);
    }
    before = std::exchange (delivered, done);
  });
}

} // namespace sino::cone_back_project
