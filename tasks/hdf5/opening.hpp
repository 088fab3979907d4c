// SPDX-License-Identifier: LGPL-3.0-or-later
// How files are opened for reading.
#pragma once
#include "tasks/hdf5/library.hpp"

namespace sino::hdf5 {

// Whether other programs may still write the files: then their locks do not count, and a file that its writer has
// opened for SWMR (single writer, multiple readers) is read as such.
void set_growing (bool growing);
bool is_growing ();

// Throws `what` with HDF5's message if the file cannot be opened.
Handle open_to_read (const std::string &path, const std::string &what, size_t metadata = usual_metadata);
// The same for a source of a virtual dataset, opened as HDF5 opens it: like the file of the dataset, with SWMR or
// without. HDF5 itself would take a source that it cannot open for one that is missing.
Handle open_source (const std::string &path, hid_t dataset, const std::string &what);

} // namespace sino::hdf5
