// SPDX-License-Identifier: LGPL-3.0-or-later
// A group of projections on the device, which one launch adds to the voxels: in a buffer, one after the other, or in an
// array of images. Also holds where each projection sees the volume.
#pragma once
#include "device/opencl-memory.hpp"
#include "filters/cone-back-project/opencl/problem.hpp"
#include <span>

namespace sino::cone_back_project {

class Group
{
public:
  // Memory of some groups with `projections` projections of `rows` rows each.
  static void memory (const Job &job, int64_t projections, int64_t rows, size_t groups, Bill &bill);

  Group (OpenclQueues &queues, Allotment &allotment, const Job &job, const std::optional<families::ImageShape> &image);

  // Empties the group. Commands that are enqueued later wait for commands that still use the old projections.
  void clear ();
  // Adds projections of a block. All projections of a group have the same rows. `seen` must stay valid until the upload
  // has ended.
  void put (const Block &in, Interval angles, std::span<const KernelView> seen);
  // Sets the group as arguments of a kernel that is enqueued later.
  void set_arguments (cl::Kernel &kernel) const;
  // `event`: end of the last command that uses the group.
  void until (const cl::Event &event) { last = event; }

  int64_t most () const { return most_; }
  int64_t size () const { return count; }
  Interval rows () const { return held; }
  Interval slices () const { return taken; } // slices that take some of the projections

private:
  OpenclQueues &queues;
  const int64_t columns;
  const bool images;
  const cl::Buffer views;
  const int64_t most_; // largest number of projections that the memory on the bill can hold
  cl::Buffer bins;
  cl::Image2DArray array;
  int64_t written = 0; // number of image rows that may not be zero
  cl::Event last;
  int64_t count = 0;
  Interval held{}, taken{};

  void put_values (const MemoryPiece &from, int64_t projections);
  void put_images (const MemoryPiece &from, int64_t projections);
};

} // namespace sino::cone_back_project
