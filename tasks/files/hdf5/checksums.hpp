// SPDX-License-Identifier: LGPL-3.0-or-later
// Checksums in an HDF5 file, beside the data that they are of. There is room for them from the beginning, so that
// nothing but their values changes at the end.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/target.hpp"
#include <hdf5.h>
#include <optional>
#include <string>

namespace sino::files {

constexpr const char *sums_dataset = "/exchange/checksums", *sums_algorithm = "CRC-32";

// Fills them in. HDF5's lock is held. `failed`: what to say where the library fails.
void put_checksums (hid_t file, const formats::Checksums &sums, const std::string &failed);

// The same in a complete file; false where it has no room for them.
bool keep_hdf5_checksums (const std::string &path, const formats::Planned &planned, const formats::Checksums &sums);

// What a file has; none where it is not one of ours.
std::optional<formats::KeptChecksums> hdf5_checksums (const std::string &path);

} // namespace sino::files
