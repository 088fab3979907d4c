// SPDX-License-Identifier: LGPL-3.0-or-later
// What a folder of images holds, as people lay scans out: projections, darks and flats, before and after, and a text
// file of angles. The files fall into groups by the fixed parts of their names, whose words say what a group is.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sino::cli {

// Paths as `read` takes them; empty where there is none.
struct ScanFolder {
  std::string projections, darks, darks_after, flats, flats_after, angles;
  std::string table; // lines that say each group, how many files it has, and what it was taken for
};

// What people say, which then need not be found.
struct KnownParts {
  bool darks = false, darks_after = false, flats = false, flats_after = false, angles = false;
  bool raw = false; // files without a head are images, too
};

// Throws Error with the groups that there are where names do not say what is what.
ScanFolder look_into (const std::string &folder, const KnownParts &known);

// The angles of so many projections from a text file that may also count the darks and flats at both ends, with the
// angle that they were taken at; `all`: it counts the projections only. Throws Error.
std::vector<double> angles_of_file (const std::string &path, int64_t projections, bool *all);

} // namespace sino::cli
