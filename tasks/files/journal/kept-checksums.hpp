// SPDX-License-Identifier: LGPL-3.0-or-later
// The checksums that 'write' keeps for `sinograph verify`: in its output, where the format has a place for them, else
// beside it.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/formats.hpp"

namespace sino::files {

// What checksums are of, in a stream that is written so.
formats::Checksums::Of summed (const formats::Planned &planned, bool random_access);

// Memory for the names of files with their checksums, also of those that the output has already.
size_t bytes_of_names (const std::string &output, const formats::Planned &planned);

// Throws where something else has the name of the file beside.
void check_place_of_checksums (const std::string &output);

// Takes checksums of files that are about to be replaced out of the file beside.
void withdraw_checksums (const std::string &output, const formats::Planned &planned);

// All checksums of a stream.
formats::KeptChecksums whole_checksums (const formats::Planned &planned, const formats::Checksums &sums);

// The target is complete, with its checksums. `output`: none where the name is too long for a file beside.
void finish_with_checksums (formats::Target &target, const std::optional<std::string> &output,
                            const formats::Planned &planned, const formats::Checksums &sums);

// Writes those of a complete output again where they are not there any more, damaged, or not these.
void restore_checksums (const std::string &output, const formats::WritingFormat &format,
                        const formats::Planned &planned, const std::map<int64_t, uint32_t> &of_rows);

} // namespace sino::files
