// SPDX-License-Identifier: LGPL-3.0-or-later
// What a folder of images holds, as people lay scans out: projections, darks, flats and a text file of angles, told by
// their names.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::cli {

// Paths as `read` takes them; empty where there is none.
struct ScanFolder {
  std::string projections, darks, flats, angles;
};

// Throws Error with what there is where it cannot be told what the projections are.
ScanFolder look_into (const std::string &folder);

// The angles of so many projections from a text file that may also count the darks and flats at both ends, with the
// angle that they were taken at. Throws Error.
std::vector<double> angles_of_file (const std::string &path, int64_t projections);

} // namespace sino::cli
