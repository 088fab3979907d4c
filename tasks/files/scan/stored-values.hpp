// SPDX-License-Identifier: LGPL-3.0-or-later
// What a file of slices states about its values and voxels.
#pragma once
#include "formats/image-file.hpp"
#include "stream/format.hpp"

namespace sino::files {

using namespace formats;

struct StoredValues {
  std::optional<Scale> scale; // what grey values stand for; none: the values themselves
  bool per_length = false;    // whether that is attenuation, per mm, or per pixel if no size is known
  // Distances of columns and of slices; unset if unknown.
  std::optional<double> voxel_size, slice_distance;
  bool in_mm = false; // whether their unit is known to be mm

  // The geometry of slices, of which every step-th column and row is read.
  Geometry geometry (int64_t column_step, int64_t row_step) const;
};

// Attenuation per another unit of length is converted to mm, as lengths are; that of files without a scale stays as it
// is, with a message. Throws if the scale is applied and is no numbers.
StoredValues stored_values (const ImageFile &file, bool applies, std::vector<std::string> &messages);

} // namespace sino::files
