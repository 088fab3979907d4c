// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a kernel on a device: uploads projections group by group, and adds each group to slabs of slices by launches.
// The next group is uploaded while one is added.
#pragma once
#include "base/monitor.hpp"
#include "families/clock.hpp"
#include "filters/cone-back-project/opencl/group.hpp"
#include "filters/cone-back-project/opencl/slabs.hpp"

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

  // Builds the kernel. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const families::Setting &setting,
            Allotment &allotment, Counters *counters = nullptr);

  // Calls for one work item: begin () with its slices, add () with all projections in their order, end (), and deliver
  // () with each block for slices. A block without a device buffer is filled when deliver () returns, any other when
  // its buffer settles. Throws Error, or Cancelled.
  void begin (Interval slices);
  void add (const Block &projections);
  void end ();
  void deliver (Block &slices);

  void wait () { clock.wait (); }
  // Bytes of voxels that kernels have read and written until now.
  double voxel_bytes () const { return traffic; }

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const families::Shape shape;
  const int64_t voxels; // voxels along z that a work-item computes
  const std::vector<KernelView> views;
  OpenclQueues queues;
  cl::Kernel kernel;
  Group groups[2];
  size_t turn = 0;
  int64_t added = 0; // number of projections that were added to all slabs
  Slabs slabs;
  double traffic = 0;
  families::KernelClock clock;

  void launch ();
  void add_to (const Slab &slab);
};

// Limits for views_at_once (), the number of projections in a group: the kernel's own limit, the projections of the
// scan, the size of a buffer or of an array of images, and `all`: bytes for two groups.
struct GroupRoom {
  double all;
  size_t largest_buffer, most_images;
};
int64_t views_at_once (const families::Setting &setting, const Job &job, int64_t rows, const GroupRoom &room);

} // namespace sino::cone_back_project
