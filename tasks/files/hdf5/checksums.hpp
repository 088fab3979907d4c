// SPDX-License-Identifier: LGPL-3.0-or-later
// Checksums in an HDF5 file, beside the data. Space for them is reserved at the beginning, so that only their values
// are written at the end.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/descriptor.hpp"
#include "formats/target.hpp"
#include <hdf5.h>
#include <optional>
#include <string>

namespace sino::files {

constexpr const char *sums_dataset = "/exchange/checksums", *sums_algorithm = "CRC-32";

// Writes the values; false if the file has no space for them. HDF5's lock must be held. `failed`: message if the
// library fails.
bool put_checksums (hid_t file, const formats::Checksums &sums, const std::string &failed);

// The same for a file that HDF5 has not open. `path`: its name for messages.
bool put_checksums (const formats::Descriptor &out, const formats::Checksums &sums, const std::string &path);

// The checksums in a file; none if it was not written by Sinograph.
std::optional<formats::KeptChecksums> hdf5_checksums (const std::string &path);

} // namespace sino::files
