// SPDX-License-Identifier: LGPL-3.0-or-later
// The files of text in an OME-Zarr, after its version 0.4 (ngff.openmicroscopy.org/0.4) and Zarr's storage
// specification 2 (zarr-specs.readthedocs.io).
#pragma once
#include "formats/target.hpp"
#include "tasks/files/zarr/levels.hpp"
#include <string>

namespace sino::files {

constexpr const char *zarr_sums = ".checksums";                    // of the volume, as in a file beside others
constexpr const char *zarr_group = "{\n  \"zarr_format\": 2\n}\n"; // .zgroup

// What packs chunks, as Blosc names it; null where they lie as they are.
const char *blosc_name (formats::Compression compression);
constexpr int blosc_level = 1;

std::string zarr_array (const Level &level, Element element, formats::Compression compression);  // .zarray
std::string zarr_attributes (const formats::Planned &planned, const std::vector<Level> &levels); // .zattrs

// Whether a folder has an OME-Zarr and nothing else.
bool is_ome_zarr (const std::string &folder);

} // namespace sino::files
