// SPDX-License-Identifier: LGPL-3.0-or-later
// Slabs of slices and upright views: bricks of voxels, one after the other, and the sheets of rays that meet them.
// Slabs begin at fixed slices, so that sums do not depend on the division of slices into blocks.
#pragma once
#include "device/cpu.hpp"
#include "kernels/forward-project/sheets.hpp"
#include "stream/block.hpp"

namespace sino::projector {

using forward_project::Detector;
using forward_project::Volume;

class Slabs
{
public:
  // Memory that is kept from call to call.
  struct Work {
    std::vector<float> values = {}; // of rays
    std::vector<forward_project::Sheet> sheets = {};
  };
  // Some neighbouring projections of a block.
  struct Views {
    const Block &block;
    Interval places; // along its angles
  };

  Slabs (const Volume &volume, std::vector<Detector> views);

  bool have_any () const { return some; }       // whether any view has sheets in any slab
  bool have_all () const { return !others; }    // whether every view has sheets in every slab
  int64_t slices () const { return thickness; } // slices of a slab
  int64_t number_of (int64_t slice) const { return slice / thickness; }
  Interval range (int64_t slab) const
  {
    return Interval{slab * thickness, (slab + 1) * thickness}.meet ({0, box.slices});
  }
  // Whether a view's rays are sheets in a slab.
  bool have (int64_t view, int64_t slab) const
  {
    return sheets[static_cast<size_t> (view * number_of (box.slices + thickness - 1) + slab)];
  }

  // Adds the sums along rays in slices of a slab to the views of the projections that have sheets there. `voxels`: for
  // each of the slab's slices, null if there is none.
  void add (Interval slices, std::span<const float *const> voxels, std::span<Block> projections, const Cpu &cpu,
            const Monitor &monitor) const;
  // The transpose, for neighbouring views that all have sheets there.
  void spread (Interval slices, std::span<float *const> voxels, const Views &views, Work &work, const Cpu &cpu,
               const Monitor &monitor) const;

  const std::vector<Detector> &views () const { return detectors; }
  size_t bytes () const { return detectors.size () * sizeof (Detector) + sheets.size (); }
  size_t add_bytes () const;    // memory of each thread in add ()
  size_t spread_bytes () const; // of each thread in spread ()
  size_t work_bytes () const;   // of Work

private:
  Volume box;
  std::vector<Detector> detectors;
  int64_t thickness;
  bool some = false, others = false;
  std::vector<uint8_t> sheets;            // [view][slab]: whether a view has sheets
  int64_t most_sheets = 0, most_rays = 0; // of a view in a slab

  struct Part;
  int64_t views_at_once () const;
  size_t brick_bytes () const;
  Interval rays_of (const Detector &detector, Interval slices, Rows rows) const;
  int64_t bricks () const;
  forward_project::Brick brick (int64_t number, Interval slices, bool shared, float *voxels,
                                const uint8_t *filled) const;
  void add_views (Interval slices, std::span<const float *const> voxels, Block &out, std::span<const int64_t> views,
                  const Monitor &monitor) const;
};

} // namespace sino::projector
