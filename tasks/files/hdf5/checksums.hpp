// SPDX-License-Identifier: LGPL-3.0-or-later
// Checksums in an HDF5 file, beside the data. Space for them is reserved at the beginning, so that only their values
// are written at the end.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/target.hpp"
#include <hdf5.h>
#include <optional>
#include <string>

namespace sino::files {

constexpr const char *sums_dataset = "/exchange/checksums", *sums_algorithm = "CRC-32";

// Writes the values. HDF5's lock must be held. `failed`: message if the library fails.
void put_checksums (hid_t file, const formats::Checksums &sums, const std::string &failed);

// The same for a complete file; false if it has no space for them.
bool keep_hdf5_checksums (const std::string &path, const formats::Planned &planned, const formats::Checksums &sums);

// The checksums in a file; none if it was not written by Sinograph.
std::optional<formats::KeptChecksums> hdf5_checksums (const std::string &path);

} // namespace sino::files
