// SPDX-License-Identifier: LGPL-3.0-or-later
// Describes datasets, gives positions of chunks, and reads pixels that HDF5 itself has to decode.
#pragma once
#include "tasks/hdf5/library.hpp"
#include "tasks/hdf5/protocol.hpp"
#include "tasks/hdf5/sources.hpp"

namespace sino::hdf5 {

using formats::Sample;

Handle open_dataset (hid_t file, const std::string &name);

// Throws if the values have an unsupported type, with a list of supported ones. `path`: of the file, as given.
// `made.gaps` gets the parts of a virtual dataset whose sources are missing.
Description describe (hid_t dataset, hid_t file, const std::string &path, const std::string &name, Sources &made);

// Reads the pixels of a box with three extents, in this machine's byte order. For a dataset with two axes, the first
// extent is 1. Pixels in gaps become zero, even if the dataset has another fill value.
std::string read_box (hid_t dataset, Sample sample, const std::array<uint64_t, 3> &corner,
                      const std::array<uint64_t, 3> &extent, const std::vector<Handle> &gaps);

} // namespace sino::hdf5
