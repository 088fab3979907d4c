// SPDX-License-Identifier: LGPL-3.0-or-later
// Images of Varian's machines: .hnc, .hnd and .xim, one image per file. Their layout is that of RTK's readers
// (github.com/RTKConsortium/RTK: rtkHncImageIO, rtkHndImageIO, rtkXimImageIO).
#pragma once
#include "tasks/files/png/line-images.hpp"
#include <optional>

namespace sino::files {

// Data from the head of an image. Lengths in mm, angles in degrees.
struct VarianHead {
  Sample sample = Sample::i32; // of the stored values
  int64_t columns = 0, lines = 0;
  bool compressed = false;
  int64_t table = 0, table_bytes = 0; // compressed: sizes of the differences, two bits each
  int64_t data = 0, data_bytes = 0;
  double pixel_width = 0, pixel_height = 0;
  std::optional<double> angle;  // of the gantry, as RTK counts it
  double across = 0, along = 0; // displacement of the detector
};

// Throws if the file is damaged or truncated. `title`: the file, for messages.
VarianHead varian_head (const Descriptor &file, const std::string &title);

// The images of these files, which have the same size.
std::shared_ptr<const Stack> varian_images (const std::vector<std::string> &paths);

} // namespace sino::files
