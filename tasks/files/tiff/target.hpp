// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/target.hpp"

namespace sino::files {

// A TIFF for each page where the path has a number, else one for all. `description` goes into the first page of each.
std::unique_ptr<formats::Target> tiff_target (const formats::Planned &planned, const std::string &description);

} // namespace sino::files
