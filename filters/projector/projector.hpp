// SPDX-License-Identifier: LGPL-3.0-or-later
// Line integrals through a volume, and their transpose: the pair that iterative methods go to and fro with. It knows no
// graph; nodes and methods share it.
#pragma once
#include "device/cpu.hpp"
#include "kernels/forward-project/rays.hpp"
#include "stream/block.hpp"

namespace sino::projector {

using forward_project::Volume;

// The projector of a volume and some views, parallel or not. It never changes, so any thread may use it.
class Projector
{
public:
  // Threads to compute with, and memory that is kept from call to call. For one call at a time.
  struct Work {
    const Cpu &cpu;
    const Monitor &monitor;
    std::vector<float> transposed = {}; // as many values as a block of slices
  };

  // A projection of so many columns for each view.
  Projector (std::span<const View> views, int64_t columns, const Volume &volume);

  // Projections += what their rays gather in the slices. A pixel takes slices in their order, whatever blocks they come
  // in.
  void forward (const Block &slices, std::span<Block> projections, Work &work) const;
  // The transpose: slices += what the pixels spread along their rays. A voxel takes pixels in the order of the scan.
  void adjoint (const Block &projections, std::span<Block> slices, const Work &work) const;

  // Slices that rows of the detector see in any projection.
  Interval slices_seen (Interval rows) const;
  // Least depth of the voxels and of the zeros around them; not above 0 where the source goes through the volume.
  double least_depth () const;
  // Edge of a pixel, in voxels, in the middle of the volume: sums are right up to forward_project::most_rays.
  double widest_pixel () const;
  // Rays of a row of the detector, in all projections.
  double rays_per_row () const;

  size_t bytes () const;        // memory of the projector
  size_t thread_bytes () const; // memory of each thread in a call

  const Volume &volume () const { return box; }

private:
  Volume box;
  std::vector<forward_project::Detector> detectors;

  void transpose (const Block &slices, Work &work) const;
};

} // namespace sino::projector
