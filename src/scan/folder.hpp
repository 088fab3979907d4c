// SPDX-License-Identifier: LGPL-3.0-or-later
// Analyses a folder of images in the usual layout: projections, darks and flats, before and after, and a text file of
// angles. Files are grouped by the fixed parts of their names, whose words show the role of a group.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::scan {

// Paths for `read`; empty if there is none.
struct ScanFolder {
  std::string projections, darks, darks_after, flats, flats_after, angles;
  std::string table; // lines with each group, its number of files, and its assumed role
};

// Parts that the user specifies, so that they need not be found.
struct KnownParts {
  bool darks = false, darks_after = false, flats = false, flats_after = false, angles = false;
  bool raw = false; // files without a head are images, too
};

// Throws Error, with the list of groups, if names do not determine their roles.
ScanFolder look_into (const std::string &folder, const KnownParts &known);

// The angles of `projections` projections from a text file. The file may also have lines for the darks and flats at
// both ends, with the angles at which they were taken; `all`: it has lines for projections only. Throws Error.
std::vector<double> angles_of_file (const std::string &path, int64_t projections, bool *all);

} // namespace sino::scan
