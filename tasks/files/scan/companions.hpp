// SPDX-License-Identifier: LGPL-3.0-or-later
// What belongs to a scan besides its projections: darks and flats.
#pragma once
#include "tasks/files/hdf5/frame-keys.hpp"
#include "tasks/files/scan/input.hpp"
#include "tasks/files/scan/range.hpp"
#include "tasks/files/scan/scan.hpp"

namespace sino::files {

// What is read of a scan: of all projections some, of these some rows and columns.
struct ScanPart {
  int64_t all_projections, all_rows, all_columns;
  Range projections;
  std::vector<int64_t> rows, columns;
  const FrameKeys *keys; // which frames of the images are darks and flats; null: that is not told
};

// Darks and flats from the paths of the request, else from beside the images; cut to the part's rows and columns.
// Throws when they are of another size. The scan is told what they hold and read.
Companions find_companions (const Request &request, const Input &input, const ScanPart &part, Scan &scan);

} // namespace sino::files
