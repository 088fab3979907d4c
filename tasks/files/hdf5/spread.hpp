// SPDX-License-Identifier: LGPL-3.0-or-later
// An HDF5 file whose images are in other files beside it. Threads that write several images at the same time write to
// different files, and so need not wait for each other: docs/design/hdf5.md.
#pragma once
#include "formats/formats.hpp"

namespace sino::files {

std::unique_ptr<formats::Target> spread_hdf5 (const formats::Planned &planned, const Frames::Watch &watch);

constexpr int most_files = 64; // that share the images

// The names that files with the images of this output may have; none if it is not HDF5.
std::vector<std::string> possible_parts (const std::string &output);

// The files with images that belong to an existing output, and go with it when it is replaced.
std::vector<std::string> existing_parts (const std::string &output);

// Throws if the output would replace files with images that belong to another one, or to none: somebody may have
// renamed the file that refers to them.
void check_parts (const formats::Planned &planned);

} // namespace sino::files
