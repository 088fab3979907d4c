// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/adjoint.hpp"
#include "base/error.hpp"
#include "families/program.hpp"
#include "filters/cone-back-project/opencl/shapes.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>
#include <cmath>

namespace sino::cone_back_project {

using families::Setting;

namespace {

// Names of items on the bill:
constexpr char rays_item[] = "weighed rays", layers_item[] = "their layers", view_table_item[] = "their views";

constexpr int64_t zeros = 6; // lines around a layer; near_lines () is at most this

// Rays of the largest layer, with the zeros around them.
size_t rays_of (Adjoint::Detectors detectors, int64_t rows)
{
  int64_t most = 0;
  for (const auto &each : detectors)
    most = std::max (most, each.columns * each.across * (rows * each.down + 2 * zeros));
  return static_cast<size_t> (most);
}

// The layout of Volume in kernels/cone-back-project/gather.cl.
struct KernelVolume {
  cl_int width, height, depth, first_z;
  cl_float axis_x, axis_y, radius;
  cl_int count, first;
};

} // namespace

void Adjoint::memory (const OpenclDevice &device, const Job &job, Detectors detectors, const Setting &setting,
                      const Size &size, Bill &bill)
{
  const auto one = rays_of (detectors, size.rows) * sizeof (float);
  // If a work item has only one slice, the rays leave room for the slice and the blocks.
  const auto taken = static_cast<double> (slice_bytes (job.volume) + size.blocks);
  double room = std::isfinite (device.room ()) ? (1 - device.use.slice_share) * device.room () : HUGE_VAL;
  if (size.slices <= 1)
    room = std::max (std::min (room, device.room () - taken), 0.0);
  if (one > device.largest_buffer)
    fail (SINO_ERROR_MEMORY, "a projection needs a buffer of %s, but %s (%s) takes at most %s: set device=native",
          bytes_text (static_cast<double> (one)).c_str (), device.id.c_str (), device.name.c_str (),
          bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  const auto fit = std::min (static_cast<double> (device.largest_buffer), room) / static_cast<double> (one);
  const auto most = std::max<size_t> (1, static_cast<size_t> (std::min<double> (setting["VIEWS"], fit)));
  add_buffers (bill, rays_item, most * one);
  add_buffers (bill, layers_item, most * sizeof (KernelLayer));
  add_buffers (bill, view_table_item, most * sizeof (forward_project::KernelView));
  Slabs::memory (device, job.volume, size.slices, bill);
  if (size.input_block > 0)
    add_buffers (bill, Uploads::item, size.input_block, Staging::slots);
  add_bytes (bill, "layers as kernels read them", 6 * detectors.size () * sizeof (KernelLayer));
  add_bytes (bill, "views of the scan", job.projections.size () * sizeof (Projection));
}

Adjoint::Adjoint (const OpenclDevice &d, const Monitor &m, const Job &j, Detectors all, const Setting &setting,
                  Allotment &a, Counters *counters)
    : device (d), monitor (m), job (j), detectors (all), problem (adjoint_problem_of (j, all)),
      shape (setting.kernel->shape (setting, problem)), deep (setting["Z"]), layers (layers_of (j, all)), queues (d),
      uploads (queues, a), slabs (queues, a, job.volume), rays (take_buffer (d, a, rays_item)),
      layers_there (take_buffer (d, a, layers_item)), views_there (take_buffer (d, a, view_table_item)),
      most (static_cast<int64_t> (layers_there.getInfo<CL_MEM_SIZE> () / sizeof (KernelLayer))),
      clock (queues, counters)
{
  device.attempt ([&] {
    const auto program = families::build (device, setting, problem, options);
    weigh = {program, "weigh"};
    gather = {program, "gather"};
  });
}

void Adjoint::begin (Interval slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    slabs.begin (slices);
    count = 0;
    first = true;
  });
}

void Adjoint::add (const Block &in)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto &pixels = uploads.take (MemoryPiece (in), in.bytes ());
    const auto number = [&] (int64_t view) {
      return std::ranges::lower_bound (layers.views, view) - layers.views.begin ();
    };
    const auto end = number (in.angles ().end);
    for (auto at = number (in.angles ().begin); at < end;) {
      const auto n = std::min (end - at, most - count);
      put (in, pixels, {at, at + n});
      at += n;
      if (count == most)
        launch ();
    }
    uploads.until (kernels_done (queues));
  });
}

// Weighs the rays of some layers and adds them to the group.
void Adjoint::put (const Block &in, const cl::Buffer &pixels, Interval some)
{
  while (!sent.empty () && sent.front ().arrived.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () == CL_COMPLETE)
    sent.pop_front ();
  auto &tables = sent.emplace_back ();
  const auto rows = in.rows ();
  const auto one = rays_of (detectors, rows.size ());
  require (rays, static_cast<size_t> (count + some.size ()) * one * sizeof (float), rays_item);
  int64_t wide = 1, high = 1;
  for (auto i = some.begin; i < some.end; i++) {
    auto layer = layers.all[static_cast<size_t> (i)];
    const auto view = layers.views[static_cast<size_t> (i)];
    const auto down = detectors[static_cast<size_t> (view)].down;
    layer.view = static_cast<cl_int> (view - in.angles ().begin);
    layer.lines = static_cast<cl_int> (rows.size () * down);
    layer.first_line = static_cast<cl_int> (rows.begin * down);
    layer.first = (count + i - some.begin) * static_cast<int64_t> (one) + zeros * layer.columns;
    wide = std::max<int64_t> (wide, layer.columns);
    high = std::max<int64_t> (high, layer.lines);
    tables.layers.push_back (layer);
    tables.views.push_back (forward_project::kernel_view (detectors[static_cast<size_t> (view)], 0));
  }
  const auto n = static_cast<size_t> (some.size ()), before = static_cast<size_t> (count);
  queues.kernels.enqueueWriteBuffer (layers_there, CL_FALSE, before * sizeof (KernelLayer), n * sizeof (KernelLayer),
                                     tables.layers.data ());
  queues.kernels.enqueueWriteBuffer (views_there, CL_FALSE, before * sizeof (forward_project::KernelView),
                                     n * sizeof (forward_project::KernelView), tables.views.data (), nullptr,
                                     &tables.arrived);
  if (count == 0)
    fill_zeros (queues.kernels, rays, static_cast<size_t> (most) * one * sizeof (float));
  const auto &volume = job.volume;
  const auto frame = forward_project::frame_of (volume, {0, volume.slices}, job.columns, rows, some.size ());
  opencl::set (weigh, 0, views_there, layers_there, count, frame, pixels, rays);
  const auto items = [] (int64_t x, int64_t group) { return static_cast<size_t> (round_up (x, group)); };
  const auto event = opencl::launch (
      queues.kernels, weigh, cl::NDRange (items (wide, 32), items (high, 8), static_cast<size_t> (some.size ())),
      cl::NDRange (32, 8, 1));
  clock.add (event, event);
  count += some.size ();
}

void Adjoint::launch ()
{
  if (first) // the slices of the previous work item must leave the slabs first
    slabs.wait_for_room ();
  const auto whole = [] (int64_t x) { return static_cast<cl_int> (x); };
  const auto real = [] (double x) { return static_cast<cl_float> (x); };
  const auto &volume = job.volume;
  for (const auto &slab : slabs.all ()) {
    const KernelVolume part{.width = whole (volume.columns),
                            .height = whole (volume.lines),
                            .depth = whole (slab.slices.size ()),
                            .first_z = whole (slab.slices.begin),
                            .axis_x = real (-volume.first.x / volume.size),
                            .axis_y = real (-volume.first.y / volume.size),
                            .radius = real (job.radius / volume.size),
                            .count = whole (count),
                            .first = first};
    opencl::set (gather, 0, layers_there, part, rays, slab.memory);
    const auto pieces = divide_up (slab.slices.end, deep) - slab.slices.begin / deep;
    families::launch_in_parts (monitor, clock, gather,
                               {.group = shape.group,
                                .columns = divide_up (volume.columns, shape.area[0]),
                                .rows = divide_up (volume.lines, shape.area[1]) * pieces,
                                .updates = static_cast<double> (shape.area[0] * shape.area[1] * deep * count)});
  }
  first = false;
  count = 0;
}

void Adjoint::end ()
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    if (count > 0)
      launch ();
    slabs.end ();
  });
}

void Adjoint::deliver (Block &block)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] { slabs.deliver (block); });
}

} // namespace sino::cone_back_project
