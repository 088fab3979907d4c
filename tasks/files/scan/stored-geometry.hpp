// SPDX-License-Identifier: LGPL-3.0-or-later
// Geometry stored beside the images: angles, rotation axis, pixel size, views.
#pragma once
#include "formats/image-file.hpp"
#include "stream/geometry.hpp"
#include "tasks/files/hdf5/frame-keys.hpp"

namespace sino::files {

using namespace formats;

// Angles in degrees of all projections; empty if there are none. Throws if their number is wrong. With frame keys,
// there may be an angle for each frame.
std::vector<double> theta (const ImageFile &file, int64_t projections, const FrameKeys *keys,
                           std::vector<std::string> &messages);

// Parts of the geometry that properties replace.
struct Replaced {
  bool angles, views, axis;
};

// The rest of the geometry, for the whole detector and all projections: as stored by `write`, or by NXtomo. If views
// imply angles, these are in radians. `messages` gets messages for people.
Geometry stored_geometry (const ImageFile &file, int64_t projections, const FrameKeys *keys, int64_t rows,
                          int64_t columns, Replaced replaced, std::vector<std::string> &messages);

} // namespace sino::files
