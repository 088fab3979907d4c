// SPDX-License-Identifier: LGPL-3.0-or-later
// The slices of a work item on the device, in as few buffers as possible. They stay there until all projections are
// added, and are then copied to blocks. The last projections may be added to parts of a slab, one after the other, so
// that the first slices leave while kernels add to others.
#pragma once
#include "base/monitor.hpp"
#include "device/opencl-memory.hpp"
#include "kernels/cone-back-project/cone-back-project.hpp"
#include <span>

namespace sino::cone_back_project {

// Neighbouring slices in one buffer.
struct Slab {
  cl::Buffer memory;
  Interval slices;
};

class Slabs
{
public:
  static void memory (const OpenclDevice &device, const Volume &volume, int64_t slices, Bill &bill);

  Slabs (OpenclQueues &queues, Allotment &allotment, const Volume &volume);

  void begin (Interval slices);
  std::span<const Slab> all () const { return {slabs.data (), used}; }
  // Divides slabs into parts. Each has a quarter of the slices that are left of its slab, but at most 1 GiB, rounded up
  // to a multiple of step_of () slices. Only the parts may be used until the next begin ().
  std::span<const Slab> parts (int64_t voxels);
  // Largest share of the first part in a slab that has as many slices as a buffer can hold.
  static double most_of_first_part (const OpenclDevice &device, const Volume &volume, int64_t voxels);
  // Fewest slices, a multiple of `voxels`, whose bytes suit the places where a device lets parts of buffers begin.
  static int64_t step_of (const OpenclDevice &device, const Volume &volume, int64_t voxels);
  // Makes commands that are enqueued later wait until the slices of the work item before have left the slabs.
  void wait_for_room () const { hold (queues.kernels, delivered); }
  // All kernels for all slices, or for the slices of a part, are enqueued.
  void end ();
  void end (const Slab &part);
  // A block without a device buffer is filled when this returns, any other when its buffer settles.
  void deliver (Block &block);

private:
  OpenclQueues &queues;
  Allotment &allotment;
  const Volume &volume;
  std::vector<Slab> slabs; // slabs of the work item, then memory kept from larger work items
  size_t used = 0;
  // Memory of the slices that are computed, and the end of their kernels.
  std::vector<std::pair<Slab, cl::Event>> computed;
  std::vector<Slab> divided;
  cl::Event delivered, before; // end of the last block, and of the block before it
};

size_t slice_bytes (const Volume &volume);

} // namespace sino::cone_back_project
