// SPDX-License-Identifier: LGPL-3.0-or-later
// An output that several ranks write: what the first one, which has opened it, tells the others.
#pragma once
#include "formats/target.hpp"

namespace sino::files {

std::string opened_text (const formats::Planned &planned, const formats::Target &target);
// In another rank: what is planned goes on with that.
void join (formats::Planned &planned, const std::string &opened);

} // namespace sino::files
