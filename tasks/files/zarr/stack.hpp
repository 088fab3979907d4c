// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads the volume of an OME-Zarr written by 'write', to compare it with its checksums; not used for scans.
#pragma once
#include "formats/stack.hpp"
#include <array>
#include <memory>
#include <string>

namespace sino::files {

std::shared_ptr<const formats::Stack> written_zarr (const std::string &path, Element element,
                                                    const std::array<int64_t, 3> &extent);

} // namespace sino::files
