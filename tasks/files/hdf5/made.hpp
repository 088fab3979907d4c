// SPDX-License-Identifier: LGPL-3.0-or-later
// New objects in an HDF5 file.
#pragma once
#include "tasks/hdf5/library.hpp"
#include <vector>

namespace sino::files {

// Creation properties of a new object (H5P_GROUP_CREATE or H5P_DATASET_CREATE) without times, so that the same graph
// gives the same file. `failed`: message if the library fails.
hdf5::Handle untimed (hid_t kind, const std::string &failed);

// Makes objects without times, and the groups on their paths. HDF5's lock must be held.
struct NewObjects {
  hid_t file;
  const std::string &failed;

  hdf5::Handle group (const char *path) const;
  void text (const char *path, const std::string &value) const;
  void numbers (const char *path, const std::vector<double> &values, const char *units) const; // `units` may be null
  void attribute (hid_t object, const char *name, const std::vector<const char *> &words) const;
  void number_attribute (hid_t object, const char *name, const std::vector<double> &values) const;

private:
  hdf5::Handle dataset (const char *path, hid_t type, size_t n, const void *values) const;
};

} // namespace sino::files
