// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds angles in HDF5 files under any name, by their unit and number: facilities use many names, such as
// /entry/motors/srot.
#pragma once
#include "tasks/files/hdf5/file.hpp"
#include <span>

namespace sino::files {

// The name of a list with a unit of angle, a length that is one of `counts`, and values that are not all equal; "" if
// there is none. Throws if there are several lists that differ.
std::string find_angles (const Hdf5File &file, std::span<const int64_t> counts);

// Angles from a property that names a file, perhaps with a dataset, as in scan.h5:/entry/srot. In degrees; `unsaid`:
// the file gives no unit.
struct StoredAngles {
  std::vector<double> degrees;
  std::string title;
  bool unsaid;
};
StoredAngles read_angles (const std::string &path, const std::string &dataset, std::span<const int64_t> counts);

} // namespace sino::files
