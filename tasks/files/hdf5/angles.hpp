// SPDX-License-Identifier: LGPL-3.0-or-later
// Angles in HDF5 files under any name: facilities have many, as /entry/motors/srot. Their unit and their number tell
// them.
#pragma once
#include "tasks/files/hdf5/file.hpp"
#include <span>

namespace sino::files {

// The list whose unit is one of an angle, that has one of so many numbers, and that are not all the same; "" where
// there is none. Throws where there are several that differ.
std::string find_angles (const Hdf5File &file, std::span<const int64_t> counts);

// What a property asks for: a file, of which a dataset may be named, as in scan.h5:/entry/srot. Degrees; `unsaid` tells
// that no unit does.
struct StoredAngles {
  std::vector<double> degrees;
  std::string title;
  bool unsaid;
};
StoredAngles read_angles (const std::string &path, const std::string &dataset, std::span<const int64_t> counts);

} // namespace sino::files
