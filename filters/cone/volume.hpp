// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of the volume, for all nodes that reconstruct scans of any geometry.
#pragma once
#include "base/error.hpp"
#include "glue/property.hpp"
#include "kernels/volume.hpp"

namespace sino::cone {

// A volume is centred at the point where the middle ray meets the axis.
struct VolumeSettings {
  int size = 0, slices = 0;
  double voxel_size = 0;
  int roi_z = 0, roi_depth = 0;

  static constexpr Range extent{0, 1 << 20};
  static constexpr std::array properties{
      prop<&VolumeSettings::size> ("size", "Columns and rows of a slice; 0: as many as the detector has columns",
                                   extent),
      prop<&VolumeSettings::slices> ("slices", "Slices of the volume; 0: as many as the detector has rows", extent),
      prop<&VolumeSettings::voxel_size> (
          "voxel-size", "Edge of a voxel, in the scan's unit; 0: the width of a detector column at the axis",
          Range{0, 1e9}),
      prop<&VolumeSettings::roi_z> ("roi-z", "First slice to compute", extent),
      prop<&VolumeSettings::roi_depth> ("roi-depth", "Slices to compute; 0: up to the last", extent),
  };
};

// A range of voxels along an axis. all: number of voxels of the whole volume; first, extent: first voxel and number of
// voxels of the range.
struct Part {
  int64_t all, first, extent;
};

// Returns the range of `wanted` voxels that begins with voxel `first`; `wanted` is 0 for all voxels up to the last.
// Throws Error if the range exceeds the volume.
inline Part part (const char *first_name, int first, const char *name, int wanted, int64_t all)
{
  if (first >= all || wanted > all - first)
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%d with %s=%d exceeds the volume's %" G_GINT64_FORMAT " voxels", first_name,
          first, name, wanted, all);
  return {all, first, wanted == 0 ? all - first : wanted};
}

// Returns the edge of a voxel that is as wide as a column of the detector, projected to the axis.
inline double usual_voxel (const View &view)
{
  return length (view.column) * matrix_of (view)[2][3];
}

inline kernels::Volume volume_of (double voxel, const Part &x, const Part &y, const Part &z)
{
  const auto middle = [voxel] (const Part &part) {
    return (static_cast<double> (part.first) + 0.5 - 0.5 * static_cast<double> (part.all)) * voxel;
  };
  return {{middle (x), middle (y), middle (z)}, voxel, x.extent, y.extent, z.extent};
}

} // namespace sino::cone
