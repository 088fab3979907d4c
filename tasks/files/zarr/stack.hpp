// SPDX-License-Identifier: LGPL-3.0-or-later
// The volume of an OME-Zarr that 'write' has made, to be compared with its checksums. No scan comes so.
#pragma once
#include "formats/stack.hpp"
#include <array>
#include <memory>
#include <string>

namespace sino::files {

std::shared_ptr<const formats::Stack> written_zarr (const std::string &path, Element element,
                                                    const std::array<int64_t, 3> &extent);

} // namespace sino::files
