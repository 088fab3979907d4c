// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections on the device that one launch adds to the voxels: in a buffer, one after the other, or in an array of
// images, and where they see the volume.
#pragma once
#include "device/opencl-memory.hpp"
#include "filters/cone-back-project/opencl/problem.hpp"
#include <span>

namespace sino::cone_back_project {

class Group
{
public:
  // What two of them take, of so many projections of so many rows each.
  static void memory (const Job &job, int64_t projections, int64_t rows, Bill &bill);

  Group (OpenclQueues &queues, Allotment &allotment, const Job &job, const std::optional<families::ImageShape> &image);

  // Empties it, for commands that are put in the queues from now on: they wait for those that work with it.
  void clear ();
  // Adds projections of a block, all of which have the same rows. `seen` has to stay.
  void put (const Block &in, Interval angles, std::span<const KernelView> seen);
  // For the commands that are put in the kernels' queue from now on.
  void set_arguments (cl::Kernel &kernel) const;
  // After the last of them.
  void until (const cl::Event &event) { last = event; }

  int64_t most () const { return most_; }
  int64_t size () const { return count; }
  Interval rows () const { return held; }

private:
  OpenclQueues &queues;
  const int64_t columns;
  const bool images;
  const cl::Buffer views;
  const int64_t most_; // projections, as the bill has it
  cl::Buffer bins;
  cl::Image2DArray array;
  int64_t written = 0; // rows of an image that are not all zero
  cl::Event last;
  int64_t count = 0;
  Interval held{};

  void put_values (const MemoryPiece &from, int64_t projections);
  void put_images (const MemoryPiece &from, int64_t projections);
};

} // namespace sino::cone_back_project
