// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats of a scan.
#pragma once
#include "tasks/files/hdf5/frame-keys.hpp"
#include "tasks/files/scan/input.hpp"
#include "tasks/files/scan/range.hpp"
#include "tasks/files/scan/scan.hpp"

namespace sino::files {

// The part of a scan that is read: a range of projections, and some rows and columns of them.
struct ScanPart {
  int64_t all_projections, all_rows, all_columns;
  Range projections;
  std::vector<int64_t> rows, columns;
  const FrameKeys *keys; // numbers of the frames that are projections, darks and flats; null: unknown
};

// Darks and flats from the paths of the request, otherwise from beside the images; cut to the part's rows and columns.
// Throws if their size differs. Adds their memory and files to `scan`.
Companions find_companions (const Request &request, const Input &input, const ScanPart &part, Scan &scan);

} // namespace sino::files
