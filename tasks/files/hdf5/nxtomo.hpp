// SPDX-License-Identifier: LGPL-3.0-or-later
// Paths of NXtomo, an application definition of NeXus: the images are ENTRY/instrument/DETECTOR/data.
#pragma once
#include "formats/stated-scan.hpp"
#include "stream/geometry.hpp"

namespace sino::files {

using namespace formats;

bool is_nxtomo (const ImageFile &file);
bool is_nxtomo_name (const std::string &path);

// Path of the angles: in the sample group, or beside the images, as in NXdata; empty: there are none.
std::string nxtomo_angles (const ImageFile &file);

// The geometry, with the angles of all projections if there are any. Lengths in mm. A beam that diverges by less than a
// tenth of a column over the field of view counts as parallel.
Geometry nxtomo_geometry (const ImageFile &file, const std::vector<double> &degrees, int64_t rows, int64_t columns,
                          std::vector<std::string> &messages);

// Only the facts about the detector, if the distances are given in another way.
StatedScan nxtomo_detector (const ImageFile &file, std::vector<std::string> &messages);

} // namespace sino::files
