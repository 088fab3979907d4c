// SPDX-License-Identifier: LGPL-3.0-or-later
// Helpers for HDF5 objects that are written here. `failed`: message if the library fails.
#pragma once
#include "tasks/hdf5/library.hpp"
#include <vector>

namespace sino::files {

// Creation properties of a new object (H5P_GROUP_CREATE or H5P_DATASET_CREATE) without times, so that the same graph
// gives the same file.
hdf5::Handle untimed (hid_t kind, const std::string &failed);

// The type of UTF-8 texts. They have variable length, because HDF5 stores those outside the object header, which has
// space for 64 KiB only.
hdf5::Handle text_type (const std::string &failed);

// A dataspace of `values` values; a scalar for one value.
hdf5::Handle space_of (size_t values, const std::string &failed);

void set_attribute (hid_t object, const char *name, const std::vector<const char *> &words, const std::string &failed);

} // namespace sino::files
