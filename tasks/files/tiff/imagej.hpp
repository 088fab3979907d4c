// SPDX-License-Identifier: LGPL-3.0-or-later
// The description of a TIFF in ImageJ's words, as Fiji and tifffile read them: lines "key=value" after "ImageJ=", see
// ij.io.FileOpener and ij.measure.Calibration (github.com/imagej/ImageJ). Lengths are in cm, as those of the TIFF tags.
#pragma once
#include "tasks/files/stated.hpp"

namespace sino::files {

// Also has the provenance, in the line "sinograph=".
std::string imagej_description (const Planned &planned);

struct ImageJFacts {
  double mm = 0;       // unit of lengths; 0: unknown
  double distance = 0; // distance of slices in that unit; 0: unknown
  Stated stated;
};

// Nothing if the description is not ImageJ's.
std::optional<ImageJFacts> imagej_facts (const std::string &description);

} // namespace sino::files
