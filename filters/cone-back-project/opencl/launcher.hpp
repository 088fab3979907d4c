// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device: projections come there group by group, and a launch adds each group to a slab of slices.
// While one group is added the next one comes in.
#pragma once
#include "base/monitor.hpp"
#include "families/clock.hpp"
#include "filters/cone-back-project/opencl/group.hpp"

namespace sino::cone_back_project {

class Launcher
{
public:
  // Of a work item at most.
  struct Size {
    int64_t rows; // of a projection
    int64_t slices;
    size_t blocks = 0; // bytes of those that flow in and out meanwhile, about
  };
  static void memory (const OpenclDevice &device, const Job &job, const families::Setting &setting, const Size &size,
                      Bill &bill);

  // Builds the kernel. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const families::Setting &setting,
            Allotment &allotment, Counters *counters = nullptr);

  // One work item: its slices, all projections in their order, the end of them, and what takes the slices. A block that
  // lies in no buffer is filled at once, any other when its buffer settles. Throws Error, or Cancelled.
  void begin (Interval slices);
  void add (const Block &projections);
  void end ();
  void deliver (Block &slices);

  void wait () { clock.wait (); }
  // Bytes of voxels that kernels have read and written so far.
  double voxel_bytes () const { return traffic; }
  // Seconds that kernels took, of those that were waited for.
  double seconds () const { return clock.seconds (); }

private:
  // Slices that follow each other.
  struct Slab {
    cl::Buffer memory;
    Interval slices;
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const families::Shape shape;
  const int64_t voxels; // of a work-item
  const std::vector<KernelView> views;
  Allotment &allotment;
  OpenclQueues queues;
  cl::Kernel kernel;
  Group groups[2];
  size_t turn = 0;
  int64_t added = 0;       // projections, to all blocks
  std::vector<Slab> slabs; // of the work item, and the memory of those of others
  size_t used = 0;
  cl::Event computed, delivered, before; // all slices, the last block, and the one before it
  double traffic = 0;
  families::KernelClock clock;

  void launch ();
  void add_to (const Slab &slab);
};

// Projections of a group, of so many rows: as many as the kernel wants, as there are, as fit in a buffer or in an array
// of images, and two groups in the memory that is not kept for slices.
struct GroupRoom {
  double all;
  size_t largest_buffer, most_images;
};
int64_t views_at_once (const families::Setting &setting, const Job &job, int64_t rows, const GroupRoom &room);

} // namespace sino::cone_back_project
