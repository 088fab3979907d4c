// SPDX-License-Identifier: LGPL-3.0-or-later
// The checksums that 'write' keeps beside its output, for `sinograph verify`.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/formats.hpp"

namespace sino::files {

// Of what, in a stream that is written so.
formats::Checksums::Of summed (const formats::WritingFormat &format, const formats::Planned &planned);

// Throws where something else has the name.
void check_place_of_checksums (const std::string &output);

// Those of files that are about to be replaced go.
void withdraw_checksums (const std::string &output, const formats::Planned &planned);

// The file with these, and with those of other images that the output had.
formats::ChecksumFile checksum_file (const std::string &output, const formats::Planned &planned,
                                     const formats::Checksums &sums);

} // namespace sino::files
