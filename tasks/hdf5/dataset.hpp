// SPDX-License-Identifier: LGPL-3.0-or-later
// What a dataset is, where its chunks lie, and pixels of those that HDF5 itself has to decode.
#pragma once
#include "tasks/hdf5/library.hpp"
#include "tasks/hdf5/protocol.hpp"
#include "tasks/hdf5/sources.hpp"

namespace sino::hdf5 {

using formats::Sample;

Handle open_dataset (hid_t file, const std::string &name);

// Throws when it holds values that do not work, and says which ones do. `path`: of the file, as it was given. `gaps`
// gets the parts of a virtual dataset whose sources are missing.
Description describe (hid_t dataset, hid_t file, const std::string &path, const std::string &name, Sources &made);

// Pixels of a box, three extents each, in this machine's byte order; of a dataset with two axes the first is 1.
// Zeros where a gap is, whatever the fill value.
std::string read_box (hid_t dataset, Sample sample, const uint64_t (&corner)[3], const uint64_t (&extent)[3],
                      const std::vector<Handle> &gaps);

} // namespace sino::hdf5
