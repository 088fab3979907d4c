// SPDX-License-Identifier: LGPL-3.0-or-later
// What lies beside the images and says where they were taken: angles, the rotation axis, the pixel size, views.
#pragma once
#include "formats/image-file.hpp"
#include "stream/geometry.hpp"
#include "tasks/files/hdf5/frame-keys.hpp"

namespace sino::files {

using namespace formats;

// Degrees of all projections; empty when there are none. Throws when there are not as many. Where keys tell frames
// apart, there may be an angle for each frame.
std::vector<double> theta (const ImageFile &file, int64_t projections, const FrameKeys *keys,
                           std::vector<std::string> &messages);

// What properties say in place of the file.
struct Replaced {
  bool angles, views, axis;
};

// All the rest, of the whole detector and all projections: as `write` leaves it, or an NXtomo. Its angles, which views
// bring with them, are in radians. `messages` gets what people should know.
Geometry stored_geometry (const ImageFile &file, int64_t projections, const FrameKeys *keys, int64_t rows,
                          int64_t columns, Replaced replaced, std::vector<std::string> &messages);

} // namespace sino::files
