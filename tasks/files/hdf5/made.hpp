// SPDX-License-Identifier: LGPL-3.0-or-later
// What the HDF5 objects have in common that are made here. `failed`: what to say where the library fails.
#pragma once
#include "tasks/hdf5/library.hpp"
#include <vector>

namespace sino::files {

// Properties of a new object, H5P_GROUP_CREATE or H5P_DATASET_CREATE, without its times: the same graph gives the same
// file.
hdf5::Handle untimed (hid_t kind, const std::string &failed);

// The type of texts in UTF-8. They have variable length, which HDF5 keeps outside the object's header: that has room
// for 64 KiB only.
hdf5::Handle text_type (const std::string &failed);

// The space of so many values; of one value, a scalar.
hdf5::Handle space_of (size_t values, const std::string &failed);

void set_attribute (hid_t object, const char *name, const std::vector<const char *> &words, const std::string &failed);

} // namespace sino::files
