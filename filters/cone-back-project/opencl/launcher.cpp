// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/launcher.hpp"
#include "base/error.hpp"
#include "families/program.hpp"
#include "filters/cone-back-project/opencl/shapes.hpp"
#include "filters/opencl/arguments.hpp"
#include <algorithm>
#include <utility>

namespace sino::cone_back_project {

using families::Setting;

namespace {

// Returns the room for groups: the memory of the device that is not reserved for slices. If a work item has only one
// slice, this also leaves room for the slice and the blocks.
GroupRoom group_room (const OpenclDevice &device, const Job &job, const Launcher::Size &size)
{
  const auto taken = static_cast<double> (slice_bytes (job.volume) + size.blocks);
  const double for_groups = (1 - device.use.slice_share) * device.room ();
  const double all = size.slices > 1 ? for_groups : std::max (std::min (for_groups, device.room () - taken), 0.0);
  const auto images = device.attempt ([&] { return device.device.getInfo<CL_DEVICE_IMAGE_MAX_ARRAY_SIZE> (); });
  return {all, device.largest_buffer, images};
}

// Number of groups on the device. The last ones are added to the slices part by part, while parts before leave, so that
// many of them hide a slow writer. More than two take at most a fifth of the memory, which slices then do not have, and
// nothing of the share that the user gives to slices.
size_t groups_at_once (const OpenclDevice &device, const Job &job, const Setting &setting)
{
  constexpr double most = 24, most_share = 0.2;
  if (device.own_memory () == 0)
    return 2;
  const double share = std::min (most_share, 1 - device.use.slice_share);
  const auto views = std::min<double> (setting["VIEWS"], static_cast<double> (job.projections.size ()));
  const auto bytes = views * static_cast<double> (job.rows * job.columns) * sizeof (float);
  return static_cast<size_t> (std::clamp (share * device.room () / bytes, 2.0, most));
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
  Group::memory (job, views_at_once (setting, job, size.rows, group_room (device, job, size)), size.rows,
                 groups_at_once (device, job, setting), bill);
  Slabs::memory (device, job.volume, size.slices, bill);
  add_bytes (bill, "views as kernels read them", job.projections.size () * sizeof (KernelView));
  add_bytes (bill, "views of the scan", job.projections.size () * sizeof (Projection));
}

double Launcher::share_late (const OpenclDevice &device, const Job &job, const Setting &setting)
{
  const auto groups = groups_at_once (device, job, setting);
  const auto first = Slabs::most_of_first_part (device, job.volume, setting["Z"]);
  if (groups <= 2 || first >= 1)
    return 0;
  const auto views = views_at_once (setting, job, job.rows, group_room (device, job, {job.rows, job.volume.slices}));
  const auto waiting = std::min (1.0, static_cast<double> (groups - 1) * static_cast<double> (views) /
                                          static_cast<double> (job.projections.size ()));
  // The last projections of a helix may all belong to the first part.
  return has_turns (job) ? std::max (waiting - first, 0.0) : waiting * (1 - first);
}

Launcher::Launcher (const OpenclDevice &d, const Monitor &m, const Job &j, const Setting &setting, Allotment &a,
                    Counters *counters)
    : device (d), monitor (m), job (j), shape (setting.kernel->shape (setting, problem_of (j))), voxels (setting["Z"]),
      helical (has_turns (j)), views (kernel_views (j)), queues (d), slabs (queues, a, job.volume),
      clock (queues, counters)
{
  for (auto n = groups_at_once (device, job, setting); n > 0; n--)
    groups.emplace_back (queues, a, job, shape.image);
  device.attempt ([&] {
    kernel = {families::build (device, setting, problem_of (job), options), "cone_back_project"};
  });
}

void Launcher::begin (Interval slices)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    if (!rest.empty ()) // slices were not delivered
      for (const auto number : ready)
        groups[number].until (kernels_done (queues));
    added = 0;
    ready.clear ();
    rest = {};
    added_to_part = 0;
    wanted = taken_by (slices);
    slabs.begin (slices);
    next ();
  });
}

// The projections from the first to the last one that some of the slices take.
Interval Launcher::taken_by (Interval slices) const
{
  Interval all{};
  for (int64_t i = 0; i < std::ssize (job.projections); i++)
    if (!job.projections[static_cast<size_t> (i)].slices.meet (slices).empty ())
      all = all.cover ({i, i + 1});
  return all;
}

void Launcher::add (const Block &in)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    const auto all = in.angles ().meet (wanted);
    if (in.angles ().begin >= wanted.end && !ready.empty () && !may_wait ())
      add_ready ();
    for (auto at = all.begin; at < all.end;) {
      auto &group = groups[turn].size () < groups[turn].most () ? groups[turn] : next ();
      const auto n = std::min (all.end - at, group.most () - group.size ());
      group.put (in, {at, at + n}, std::span (views).subspan (static_cast<size_t> (at), static_cast<size_t> (n)));
      at += n;
      if (group.size () < group.most ())
        continue;
      ready.push_back (turn);
      // The last groups may wait for end (), as many as leave one to be filled.
      const auto left = wanted.end - at;
      if (groups.size () <= 2 || left > (std::ssize (groups) - 1 - std::ssize (ready)) * group.most () || !may_wait ())
        add_ready ();
    }
  });
}

// The slices of the previous work item must leave the slabs first. The first launch sets its slices to zero, but if
// slices take different projections, it does not compute all.
void Launcher::begin_slabs ()
{
  slabs.wait_for_room ();
  if (!helical)
    return;
  for (const auto &slab : slabs.all ()) {
    const auto bytes = static_cast<size_t> (slab.slices.size ()) * slice_bytes (job.volume);
    fill_zeros (queues.kernels, slab.memory, bytes);
    traffic += static_cast<double> (bytes);
  }
}

// Whether the groups that are ready may wait: while kernels run, or if the device has been idle for less time than it
// will work on them while slices leave. Kernels of other nodes, which make the next projections, may run meanwhile.
bool Launcher::may_wait ()
{
  const auto now = Clock::now ();
  if (overlap.waits_idle)
    return true;
  if (launched () && launched.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS> () != CL_COMPLETE) {
    busy_until = std::max (busy_until, now);
    return true;
  }
  if (!clock.started ())
    return false;
  double updates = 0;
  for (const auto &slab : slabs.all ())
    for (const auto number : ready)
      updates += static_cast<double> (slab.slices.meet (groups[number].slices ()).size () * job.volume.lines *
                                      job.volume.columns) *
                 static_cast<double> (groups[number].size ());
  return std::chrono::duration<double> (now - busy_until).count () <= updates / clock.speed ();
}

// Begins another group.
Group &Launcher::next ()
{
  turn = (turn + 1) % groups.size ();
  groups[turn].clear ();
  return groups[turn];
}

void Launcher::end ()
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    if (groups[turn].size () > 0 && groups[turn].size () < groups[turn].most ())
      ready.push_back (turn);
    if (ready.size () > 1) {
      if (added == 0)
        begin_slabs ();
      rest = slabs.parts (voxels);
      work_ahead ();
    } else {
      add_ready ();
      if (added == 0) // no slice takes a projection
        begin_slabs ();
      slabs.end ();
    }
  });
}

// Adds the groups that are ready to all slabs, one after the other.
void Launcher::add_ready ()
{
  for (const auto number : ready) {
    auto &group = groups[number];
    if (added == 0)
      begin_slabs ();
    for (const auto &slab : slabs.all ())
      add_to (slab, group, added == 0);
    launched = kernels_done (queues);
    group.until (launched);
    added += group.size ();
  }
  ready.clear ();
  const std::chrono::duration<double> left (clock.left ().seconds);
  busy_until = Clock::now () + std::chrono::duration_cast<Clock::duration> (left);
}

void Launcher::work_ahead ()
{
  constexpr size_t most = 32; // launches: beyond twice as many, the next one waits for kernels, and no slice leaves
  const auto enough = [this] {
    const auto left = clock.left ();
    return left.seconds >= overlap.ahead || left.number >= most;
  };
  while (!rest.empty () && !enough ())
    add_to_part ();
}

// Adds the next of the groups that are ready to the first of the parts that are left.
void Launcher::add_to_part ()
{
  const auto &part = rest.front ();
  add_to (part, groups[ready[added_to_part]], added == 0 && added_to_part == 0);
  if (++added_to_part < ready.size ())
    return;
  slabs.end (part);
  added_to_part = 0;
  rest = rest.subspan (1);
  if (!rest.empty ())
    return;
  launched = kernels_done (queues);
  for (const auto number : ready)
    groups[number].until (launched);
  ready.clear ();
}

void Launcher::add_to (const Slab &slab, const Group &group, bool first)
{
  const auto some = slab.slices.meet (group.slices ());
  if (some.empty ())
    return;
  group.set_arguments (kernel);
  opencl::set (kernel, 3, first && !helical, frame_of (job, slab.slices, some, group.rows ()), slab.memory);
  const auto layers = divide_up (some.size (), voxels);
  families::launch_in_parts (monitor, clock, kernel,
                             {.group = shape.group,
                              .columns = divide_up (job.volume.columns, shape.area[0]),
                              .rows = divide_up (job.volume.lines, shape.area[1]) * layers,
                              .updates = static_cast<double> (shape.area[0] * shape.area[1] * voxels * group.size ())});
  traffic +=
      static_cast<double> (some.size ()) * static_cast<double> (slice_bytes (job.volume)) * (first && !helical ? 1 : 2);
}

void Launcher::deliver (Block &block)
{
  const IdleAfterFailure guard (queues);
  device.attempt ([&] {
    // The device may have to end the part of this block first. Meanwhile it has work on the next part.
    while (!rest.empty () && (rest.front ().slices.begin < block.rows ().end || added_to_part == 0))
      add_to_part ();
    work_ahead ();
    slabs.deliver (block);
  });
}

} // namespace sino::cone_back_project
