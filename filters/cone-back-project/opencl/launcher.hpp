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
    int64_t rows;         // of a projection
    int64_t slices;       // in all its blocks
    int64_t block_slices; // in one of them
    bool in_place;        // they are one block, which kernels reach
  };
  static void memory (const OpenclDevice &device, const Job &job, const families::Setting &setting, const Size &size,
                      Bill &bill);

  // Builds the kernel. Throws Error.
  Launcher (const OpenclDevice &device, const Monitor &monitor, const Job &job, const families::Setting &setting,
            Allotment &allotment, Counters *counters = nullptr);

  // One work item: its blocks of slices, all projections in their order, and the end, after which the slices are on
  // their way. Throws Error, or Cancelled.
  void begin (std::vector<Block> slices);
  void add (const Block &projections);
  std::vector<Block> end ();

  void wait () { clock.wait (); }
  // Bytes of voxels that kernels have read and written so far.
  double voxel_bytes () const { return traffic; }
  // Seconds that kernels took, of those that were waited for.
  double seconds () const { return clock.seconds (); }

private:
  // Slices of blocks that follow each other: where they lie in the only block, or apart.
  struct Slab {
    cl::Buffer own, memory;
    cl::Event last; // that works with its own
    Interval slices;
    std::span<Block> blocks;
  };

  const OpenclDevice &device;
  const Monitor &monitor;
  const Job job;
  const families::Shape shape;
  const int64_t voxels; // of a work-item
  const std::vector<KernelView> views;
  Allotment &allotment;
  const int64_t most; // projections of a group
  cl::Kernel kernel;
  Group groups[2];
  size_t turn = 0;
  int64_t added = 0; // projections, to all blocks
  std::vector<Block> blocks;
  std::vector<Slab> slabs; // of the work item, and the memory of those of others
  size_t used = 0;
  double traffic = 0;
  families::KernelClock clock;

  void open (std::span<Block> of);
  void launch ();
  void add_to (const Slab &slab);
  void deliver (Slab &slab, const cl::Event &computed);
};

// Projections of a group: as many as the kernel wants, as there are, and as fit in a buffer or in an array of images.
int64_t views_at_once (const families::Setting &setting, const Job &job, size_t largest_buffer, size_t most_images);

} // namespace sino::cone_back_project
