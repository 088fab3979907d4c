// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/target.hpp"

namespace sino::files {

// One TIFF file per page if the path has a number, otherwise one for all. `description`: for the first page of each
// file.
std::unique_ptr<formats::Target> tiff_target (const formats::Planned &planned, const std::string &description);

} // namespace sino::files
