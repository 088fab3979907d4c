// SPDX-License-Identifier: LGPL-3.0-or-later
// Line integrals through a volume, and their transpose, the pair that iterative methods need. They do not depend on
// graphs, so nodes can share them.
#pragma once
#include "device/cpu.hpp"
#include "filters/projector/slab.hpp"
#include "kernels/forward-project/joseph.hpp"
#include "stream/block.hpp"

namespace sino::projector {

using forward_project::Volume;

// How rays are computed: as sheets that stay in a slice, as sheets, or one by one. With sheets, some may be one by one,
// too: those of other views, and steep ones.
enum class Manner { level, sheets, rays };

// The projector of a volume and some views, parallel or not. It never changes, so any thread may use it.
class Projector
{
public:
  // Threads for computing, and memory that is kept from call to call. Only one call at a time may use it.
  struct Work {
    const Cpu &cpu;
    const Monitor &monitor;
    std::vector<float> kept = {};                     // slices that were not added yet
    Rows rows = {};                                   // their numbers
    std::vector<float> transposed = {};               // slices with x and y exchanged
    std::vector<forward_project::Filled> filled = {}; // for each slice: those of its lines, then those of its columns
    Slabs::Work sheets = {};
  };

  // `columns`: number of columns of each view's projection.
  Projector (std::span<const View> views, int64_t columns, const Volume &volume);

  // Adds to the projections the line integrals of their rays through the slices, and through those of earlier calls
  // that it kept to add several together. A pixel adds slices in their order, which does not depend on the division
  // into blocks.
  void forward (const Block &slices, std::span<Block> projections, Work &work) const;
  // Adds what was kept, after the last call of forward ().
  void finish (std::span<Block> projections, Work &work) const;
  // The transpose of forward (): adds the value of each pixel to the voxels along its rays. A voxel adds pixels in the
  // order of the scan.
  void adjoint (const Block &projections, std::span<Block> slices, Work &work) const;

  // Slices that rows of the detector see in any projection.
  Interval slices_seen (Interval rows) const;
  // Returns the least depth of the voxels and of the zeros around them; not above 0 if the source is inside the volume.
  double least_depth () const;
  // Returns the edge of a pixel, in voxels, in the middle of the volume. Sums are right up to
  // forward_project::most_rays.
  double widest_pixel () const;
  // Returns the number of rays of a row of the detector, in all projections.
  double rays_per_row () const;

  Manner manner () const;
  // Slices that are computed together then; otherwise 1.
  int64_t slices_together () const { return slabs.have_any () ? slabs.slices () : 1; }

  size_t bytes () const { return slabs.bytes (); } // memory of the projector
  // Memory of each thread in a call of forward () or adjoint ().
  size_t forward_thread_bytes () const;
  size_t adjoint_thread_bytes () const;
  // Memory of Work in calls of forward (), for blocks of slices with so many bytes, and of adjoint ().
  size_t forward_work_bytes (size_t block) const;
  size_t adjoint_work_bytes () const { return slabs.have_any () ? slabs.work_bytes () : 0; }

  const Volume &volume () const { return box; }
  std::span<const forward_project::Detector> views () const { return slabs.views (); }

private:
  Volume box;
  Slabs slabs;

  int64_t together = 1; // slices that are added together, because finding rays takes as long as adding some slices

  const std::vector<forward_project::Detector> &detectors () const { return slabs.views (); }
  size_t voxels () const { return static_cast<size_t> (box.columns * box.lines); } // of a slice
  size_t lists () const { return static_cast<size_t> (box.lines + box.columns); }
  void prepare (const float *slices, int64_t count, Work &work) const;
  void add (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const;
  void add_rays (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const;
  void keep (const float *slices, Rows numbers, std::span<Block> projections, Work &work) const;
  bool has_rays (int64_t view, int64_t slice) const;
  struct Slice;
  void spread_rays (const Block &projections, Interval places, std::span<const Slice> slices, const Work &work) const;
};

} // namespace sino::projector
