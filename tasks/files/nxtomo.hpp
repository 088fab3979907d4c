// SPDX-License-Identifier: LGPL-3.0-or-later
// The names of NXtomo, an application definition of NeXus: the images are ENTRY/instrument/detector/data.
#pragma once
#include "formats/image-file.hpp"
#include "glue/beam.hpp"

namespace sino::files {

using namespace formats;

bool is_nxtomo (const ImageFile &file);

// Where it has the angles; empty: it is no NXtomo, or has none.
std::string nxtomo_angles (const ImageFile &file);

// With the angles of all projections, if there are any. Lengths in mm. A beam that spreads by less than a tenth of a
// column over the field of view counts as parallel.
Geometry nxtomo_geometry (const ImageFile &file, const std::vector<double> &degrees, int64_t rows, int64_t columns,
                          std::vector<std::string> &messages);

// What it says of the detector alone, for distances that are given otherwise.
KnownDetector nxtomo_detector (const ImageFile &file, std::vector<std::string> &messages);

// Throws Error where frames are darks or flats.
void check_image_keys (const ImageFile &file, int64_t projections);

} // namespace sino::files
