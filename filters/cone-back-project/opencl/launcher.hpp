// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device: uploads projections group by group, and adds each group to slabs of slices by launches.
// The next group is uploaded while one is added. Where the device has plenty of memory, the last groups of a work item
// are added to one part of the slices after the other, so that a part leaves while the next one is computed.
#pragma once
#include "base/monitor.hpp"
#include "families/clock.hpp"
#include "filters/cone-back-project/opencl/group.hpp"
#include "filters/cone-back-project/opencl/slabs.hpp"
#include <chrono>
#include <deque>

namespace sino::cone_back_project {

class Launcher
{
public:
  // Largest sizes of a work item.
  struct Size {
    int64_t rows; // rows of a projection
    int64_t slices;
    size_t blocks = 0; // approximate bytes of blocks that are uploaded and downloaded meanwhile
  };
  static void memory (const OpenclDevice &device, const Job &job, const families::Setting &setting, const Size &size,
                      Bill &bill);

  // Share of the kernels of a work item that run while its slices leave.
  static double share_late (const OpenclDevice &device, const Job &job, const families::Setting &setting);

  // Builds the kernel. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const families::Setting &setting,
            Allotment &allotment, Counters *counters = nullptr);

  // Calls for one work item: begin () with its slices, add () with all projections in their order, end (), and deliver
  // () with each block for slices, which also enqueues kernels for slices that come later. A block without a device
  // buffer is filled when deliver () returns, any other when its buffer settles. Throws Error, or Cancelled.
  void begin (Interval slices);
  void add (const Block &projections);
  void end ();
  void deliver (Block &slices);

  void wait () { clock.wait (); }
  // Bytes of voxels that kernels have read and written, and those that were set to zero, until now.
  double voxel_bytes () const { return traffic; }

  // How kernels overlap with blocks that leave. Tests change it.
  struct {
    double ahead = 0.2;      // seconds for which kernels have work while a block leaves
    bool waits_idle = false; // the last groups wait for end () even if no kernel runs
  } overlap;

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const families::Shape shape;
  const int64_t voxels; // voxels along z that a work-item computes
  const bool helical;   // whether slices take only some of the projections
  const std::vector<KernelView> views;
  OpenclQueues queues;
  cl::Kernel kernel;
  std::deque<Group> groups;
  size_t turn = 0;           // the group that is filled
  std::vector<size_t> ready; // full groups that are not added yet
  int64_t added = 0;         // number of projections that were added to all slabs
  Interval wanted{};         // projections to add
  // Parts of the slices to which deliver () adds the groups that are ready, and how many of these the first one has.
  std::span<const Slab> rest;
  size_t added_to_part = 0;
  cl::Event launched; // end of all launches so far
  using Clock = std::chrono::steady_clock;
  Clock::time_point busy_until; // predicted end of all launches for all slabs
  Slabs slabs;
  double traffic = 0;
  families::KernelClock clock;

  Interval taken_by (Interval slices) const;
  Group &next ();
  void begin_slabs ();
  bool may_wait ();
  void add_ready ();
  void work_ahead ();
  void add_to_part ();
  void add_to (const Slab &slab, const Group &group, bool first);
};

// Limits for views_at_once (), the number of projections in a group: the kernel's own limit, the projections of the
// scan, the size of a buffer or of an array of images, and `all`: bytes for two groups.
struct GroupRoom {
  double all;
  size_t largest_buffer, most_images;
};
int64_t views_at_once (const families::Setting &setting, const Job &job, int64_t rows, const GroupRoom &room);

} // namespace sino::cone_back_project
