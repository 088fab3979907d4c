// SPDX-License-Identifier: LGPL-3.0-or-later
// Text files of an OME-Zarr, version 0.4 (ngff.openmicroscopy.org/0.4), with Zarr storage specification 2
// (zarr-specs.readthedocs.io).
#pragma once
#include "formats/target.hpp"
#include "tasks/files/zarr/levels.hpp"
#include <string>

namespace sino::files {

constexpr const char *zarr_sums = ".checksums";                    // name of the checksum file in the folder
constexpr const char *zarr_group = "{\n  \"zarr_format\": 2\n}\n"; // content of .zgroup

// Blosc's name of the compressor; null without compression.
const char *blosc_name (formats::Compression compression);
constexpr int blosc_level = 1;

std::string zarr_array (const Level &level, Element element, formats::Compression compression); // content of .zarray
std::string zarr_array_attributes (const formats::Planned &planned); // content of .zattrs of an array, for CF; "": none
std::string zarr_attributes (const formats::Planned &planned, const std::vector<Level> &levels); // content of .zattrs

// Whether a folder is an OME-Zarr and contains nothing else.
bool is_ome_zarr (const std::string &folder);

} // namespace sino::files
