// SPDX-License-Identifier: LGPL-3.0-or-later
// Checksums that 'write' stores for `sinograph verify`: inside the output if the format supports it, otherwise in a
// file beside it.
#pragma once
#include "formats/checksum-file.hpp"
#include "formats/formats.hpp"

namespace sino::files {

// Whether checksums are for images or rows, for this output.
formats::Checksums::Of summed (const formats::Planned &planned, bool random_access);

// Memory for names of files with their checksums, including those that the output already has.
size_t bytes_of_names (const std::string &output, const formats::Planned &planned);

// Throws if another file has the name of the checksum file.
void check_place_of_checksums (const std::string &output);

// Removes the checksums of files that will be replaced from the checksum file.
void withdraw_checksums (const std::string &output, const formats::Planned &planned);

// All checksums of a stream.
formats::KeptChecksums whole_checksums (const formats::Planned &planned, const formats::Checksums &sums);

// Gives the complete target its final name, with checksums. `output`: none if the name is too long for a checksum file.
void finish_with_checksums (formats::Target &target, const std::optional<std::string> &output,
                            const formats::Planned &planned, const formats::Checksums &sums);

// Writes the checksums of a complete output again if they are missing, damaged, or wrong.
void restore_checksums (const std::string &output, const formats::WritingFormat &format,
                        const formats::Planned &planned, const std::map<int64_t, uint32_t> &of_rows);

} // namespace sino::files
