// SPDX-License-Identifier: LGPL-3.0-or-later
// An output that several ranks write: what the first one, which has opened it, tells the others, and what these tell it
// in the end.
#pragma once
#include "formats/checksums.hpp"
#include "formats/target.hpp"

namespace sino::files {

std::string opened_text (const formats::Planned &planned, const formats::Target &target);
// In another rank: what is planned goes on with that.
void join (formats::Planned &planned, const std::string &opened);

// What a rank has written: whether there is something in it, and the checksums of what is whole.
std::string part_text (bool content, const formats::Checksums &sums);
// In the first rank: takes the checksums, and gives back the other.
bool take_part (const std::string &part, formats::Checksums &sums);

} // namespace sino::files
