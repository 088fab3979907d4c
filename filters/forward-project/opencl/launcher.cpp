// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/forward-project/opencl/launcher.hpp"
#include "base/error.hpp"
#include "families/program.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace sino::forward_project {

using families::Setting;

namespace {

// Names of items on the bill:
constexpr char slab_item[] = "slices that are added together", sums_item[] = "sums of rays",
               views_item[] = "their views";

constexpr int64_t side = 16; // of a work-group that copies slices or pixels; SIDE in kernels

size_t items (int64_t n)
{
  return static_cast<size_t> (round_up (n, side));
}

bool has_images (const Setting &setting)
{
  return setting.kernel->name == std::string_view ("image");
}

int64_t copies (const Setting &setting, const Job &job)
{
  return has_images (setting) && problem_of (job)["steep"] ? 3 : 2;
}

// Bytes of a slice in a copy of the slab: in buffers, with the zeros around it.
size_t slice_bytes (const Setting &setting, const Job &job)
{
  const int64_t around = has_images (setting) ? 0 : 2;
  return static_cast<size_t> ((job.volume.columns + around) * (job.volume.lines + around)) * sizeof (float);
}

// Returns the number of slices in a slab for a work item of `slices`. There are one more before and behind them.
int64_t slab_depth (const OpenclDevice &device, const Job &job, const Setting &setting, int64_t slices)
{
  constexpr double enough = size_t{512} << 20; // where nothing else limits it
  constexpr int64_t most = 2048;               // images in an array; positions in a slab stay exact in float
  constexpr int64_t most_values = int64_t{1} << 31;
  const auto one = slice_bytes (setting, job);
  const double room = std::isfinite (device.room ()) ? (1 - device.use.slice_share) * device.room () : enough;
  auto fit = static_cast<int64_t> (std::min (room / static_cast<double> (copies (setting, job)), 1e18) /
                                   static_cast<double> (one));
  fit = std::max<int64_t> (fit, 2);
  fit = std::min ({fit, static_cast<int64_t> (device.largest_buffer / one),
                   most_values / static_cast<int64_t> (one / sizeof (float)), most});
  if (fit < 2)
    fail (SINO_ERROR_MEMORY, "two slices need a buffer of %s, but %s (%s) takes at most %s: set device=native",
          bytes_text (2 * static_cast<double> (one)).c_str (), device.id.c_str (), device.name.c_str (),
          bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  return std::min (fit, slices + 2);
}

// Returns groups of up to `most` views whose sums have at most so many bytes.
std::vector<Interval> groups_of (const Job &job, int64_t most, size_t most_bytes, int64_t rows)
{
  std::vector<Interval> groups;
  size_t bytes = 0;
  for (int64_t i = 0; i < std::ssize (job.detectors); i++) {
    const auto more = job.rays (static_cast<size_t> (i), rows) * sizeof (float);
    if (groups.empty () || groups.back ().size () == most || bytes + more > most_bytes)
      groups.push_back ({i, i}), bytes = 0;
    groups.back ().end++;
    bytes += more;
  }
  return groups;
}

size_t group_bytes (const Job &job, Interval group, int64_t rows)
{
  size_t rays = 0;
  for (auto i = group.begin; i < group.end; i++)
    rays += job.rays (static_cast<size_t> (i), rows);
  return rays * sizeof (float);
}

} // namespace

void Launcher::memory (const OpenclDevice &device, const Job &job, const Setting &setting, const Size &size, Bill &bill)
{
  const auto groups = groups_of (job, setting["VIEWS"], device.largest_buffer, size.rows);
  size_t most = 0;
  for (const auto &group : groups)
    most = std::max (most, group_bytes (job, group, size.rows));
  add_buffers (bill, sums_item, most, groups.size ());
  add_buffers (bill, views_item, static_cast<size_t> (setting["VIEWS"]) * sizeof (KernelView), groups.size ());
  add_buffers (bill, slab_item,
               static_cast<size_t> (slab_depth (device, job, setting, size.slices)) * slice_bytes (setting, job),
               static_cast<size_t> (copies (setting, job)));
  if (most > device.largest_buffer)
    fail (SINO_ERROR_MEMORY, "a projection needs a buffer of %s, but %s (%s) takes at most %s: set device=native",
          bytes_text (static_cast<double> (most)).c_str (), device.id.c_str (), device.name.c_str (),
          bytes_text (static_cast<double> (device.largest_buffer)).c_str ());
  if (size.input_block > 0)
    add_buffers (bill, Uploads::item, size.input_block, Staging::slots);
  if (size.output_block > 0)
    add_buffers (bill, Downloads::item, size.output_block, Staging::slots);
}

Launcher::Launcher (const OpenclDevice &d, const Monitor &m, const Job &j, const Setting &setting, Allotment &a,
                    Counters *counters)
    : device (d), monitor (m), job (j), shape (setting.kernel->shape (setting, problem_of (j))),
      most_views (setting["VIEWS"]), images (has_images (setting)), steep (copies (setting, j) > 2), allotment (a),
      queues (d), uploads (queues, a), downloads (queues, a), clock (queues, counters)
{
  device.attempt ([&] {
    const auto program = families::build (device, setting, problem_of (job), options);
    arrange = {program, "arrange"};
    project = {program, "forward_project"};
    average = {program, "average"};
    take_slab (setting);
  });
}

void Launcher::take_slab (const Setting &setting)
{
  const auto one = slice_bytes (setting, job);
  if (!images)
    for (int i = 0; i < 2; i++) {
      const auto &copy = buffers.emplace_back (take_buffer (device, allotment, slab_item));
      const auto bytes = copy.getInfo<CL_MEM_SIZE> ();
      depth = static_cast<int64_t> (bytes / one);
      fill_zeros (queues.kernels, copy, bytes); // also around the voxels
    }
  else {
    depth = static_cast<int64_t> (allotment.claim (slab_item) / one);
    const auto add = [&] (int64_t planes, int64_t width, int64_t height) {
      arrays.emplace_back (device.context (), CL_MEM_READ_WRITE, families::image_format (device, *shape.image).value (),
                           static_cast<size_t> (planes), static_cast<size_t> (width), static_cast<size_t> (height), 0,
                           0);
    };
    add (job.volume.lines, job.volume.columns, depth);
    add (job.volume.columns, job.volume.lines, depth);
    if (steep)
      add (depth, job.volume.columns, job.volume.lines);
  }
}

void Launcher::begin (Interval some_rows, Interval slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    rows = some_rows;
    use_groups ();
    held = {slices.begin - 1, slices.begin};
    clear (held.begin);
  });
}

Launcher::Group &Launcher::next_group ()
{
  if (used == groups.size ())
    groups.push_back (
        {take_buffer (device, allotment, views_item), take_buffer (device, allotment, sums_item), {}, {}, 1, 1});
  return groups[used++];
}

void Launcher::use_groups ()
{
  used = 0;
  const auto capacity = next_group ().sums.getInfo<CL_MEM_SIZE> ();
  used = 0;
  for (const auto &views : groups_of (job, most_views, capacity, rows.size ())) {
    auto &group = next_group ();
    const auto bytes = group_bytes (job, views, rows.size ());
    require (group.sums, bytes, sums_item);
    fill_zeros (queues.kernels, group.sums, bytes);
    group.views = views;
    group.wide = group.high = 1;
    for (auto i = views.begin; i < views.end; i++) {
      const auto &detector = job.detectors[static_cast<size_t> (i)];
      group.wide = std::max (group.wide, detector.columns * detector.across);
      group.high = std::max<int64_t> (group.high, detector.down);
    }
    auto now = kernel_views (job, views, rows.size ());
    if (now.size () == group.as_seen.size () &&
        std::memcmp (now.data (), group.as_seen.data (), now.size () * sizeof (KernelView)) == 0)
      continue; // as for the work item before, for which nobody has to wait
    group.as_seen = std::move (now);
    queues.kernels.enqueueWriteBuffer (group.seen, CL_TRUE, 0, group.as_seen.size () * sizeof (KernelView),
                                       group.as_seen.data ());
  }
}

void Launcher::add (const Block &in)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    monitor.check ();
    const auto &slices = uploads.take (MemoryPiece (in), in.bytes ());
    for (auto at = in.rows ().begin; at < in.rows ().end;) {
      const Interval some{at, std::min (in.rows ().end, held.begin + depth)};
      fill (slices, in.rows ().begin, some);
      at = some.end;
      if (held.size () < depth)
        continue;
      launch ();
      held = {some.end - 1, some.end}; // the last slice is the first one of the next slab
      fill (slices, in.rows ().begin, held);
    }
    uploads.until (kernels_done (queues));
  });
}

void Launcher::end ()
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    clear (held.end++);
    launch ();
  });
}

void Launcher::set_slab (cl::Kernel &kernel, cl_uint two, cl_uint third) const
{
  for (cl_uint i = 0; i < buffers.size (); i++)
    kernel.setArg (two + i, buffers[i]);
  for (cl_uint i = 0; i < arrays.size (); i++)
    kernel.setArg (i < 2 ? two + i : third, arrays[i]);
}

// Makes a slice of the slab zero. (Slabs are so small that a fill reaches each place, see fill_zeros ().)
void Launcher::clear (int64_t slice)
{
  const auto place = static_cast<size_t> (slice - held.begin), columns = static_cast<size_t> (job.volume.columns),
             lines = static_cast<size_t> (job.volume.lines);
  const auto bytes = (columns + 2) * (lines + 2) * sizeof (float);
  for (const auto &copy : buffers)
    queues.kernels.enqueueFillBuffer (copy, cl_float{0}, place * bytes, bytes);
  const cl::array<size_t, 3> from[] = {{0, place, 0}, {0, place, 0}, {0, 0, place}},
                             extent[] = {{columns, 1, lines}, {lines, 1, columns}, {columns, lines, 1}};
  for (size_t i = 0; i < arrays.size (); i++)
    queues.kernels.enqueueFillImage (arrays[i], cl_float4{}, from[i], extent[i]);
}

// Copies slices to the slab from a block that begins with slice `first`.
void Launcher::fill (const cl::Buffer &slices, int64_t first, Interval some)
{
  const auto from = (some.begin - first) * static_cast<int64_t> (job.slice ());
  opencl::set (arrange, 0, slices, opencl::Long{from}, job.volume.columns, job.volume.lines, some.begin - held.begin);
  set_slab (arrange, 5, 7);
  const auto event = opencl::launch (
      queues.kernels, arrange,
      cl::NDRange (items (job.volume.columns), items (job.volume.lines), static_cast<size_t> (some.size ())),
      cl::NDRange (side, side, 1));
  clock.add (event, event);
  held.end = some.end;
}

// Adds the planes between the slices of the slab to the rays of all views.
void Launcher::launch ()
{
  const auto &volume = job.volume;
  const auto wide = static_cast<int64_t> (shape.group[0]), high = static_cast<int64_t> (shape.group[1]);
  const auto planes = std::max (volume.columns, volume.lines);
  set_slab (project, 2, 5);
  for (size_t i = 0; i < used; i++) {
    const auto &group = groups[i];
    opencl::set (project, 0, group.seen,
                 frame_of (volume, {held.begin, held.end - 1}, job.columns (), rows, group.views.size ()));
    project.setArg (4, group.sums);
    families::launch_in_parts (monitor, clock, project,
                               {.group = shape.group,
                                .columns = divide_up (group.wide, wide) * group.views.size (),
                                .rows = divide_up (group.high * rows.size (), high),
                                .updates = static_cast<double> (wide * high * planes)});
  }
}

void Launcher::deliver (Block &block)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const MemoryPiece to (block);
    const auto &out = downloads.take (to, block.bytes ());
    for (size_t i = 0; i < used; i++) {
      const auto &group = groups[i];
      const auto part = group.views.meet (block.angles ());
      for (auto view = part.begin; view < part.end; view++) {
        const auto &each = group.as_seen[static_cast<size_t> (view - group.views.begin)];
        opencl::set (average, 0, group.sums, opencl::Long{each.first}, each.across, each.down, job.columns (),
                     rows.size (), out, opencl::Long{block.offset (view - block.angles ().begin, 0)});
        const auto event =
            opencl::launch (queues.kernels, average, cl::NDRange (items (job.columns ()), items (rows.size ())),
                            cl::NDRange (side, side));
        clock.add (event, event);
      }
    }
    queues.kernels.flush ();
    downloads.finish (to, block.bytes (), kernels_done (queues));
  });
}

} // namespace sino::forward_project
