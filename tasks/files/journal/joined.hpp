// SPDX-License-Identifier: LGPL-3.0-or-later
// Messages between ranks that write one output: from the first rank, which has opened it, to the others, and back from
// these at the end.
#pragma once
#include "formats/checksums.hpp"
#include "formats/target.hpp"

namespace sino::files {

std::string opened_text (const formats::Planned &planned, const formats::Target &target);
// In another rank: sets `planned` to continue the opened output.
void join (formats::Planned &planned, const std::string &opened);

// Report of a rank: whether its part has content, and the checksums of its complete images or rows.
std::string part_text (bool content, const formats::Checksums &sums);
// In the first rank: takes over the checksums; returns whether the part has content.
bool take_part (const std::string &part, formats::Checksums &sums);

} // namespace sino::files
