// SPDX-License-Identifier: LGPL-3.0-or-later
// An HDF5 file whose images are in other files beside it. Threads that write several images at the same time write to
// different files, and so need not wait for each other: docs/design/hdf5.md.
#pragma once
#include "formats/formats.hpp"

namespace sino::files {

std::unique_ptr<formats::Target> spread_hdf5 (const formats::Planned &planned, const Frames::Watch &watch);

// Removes the files that an older output of this name referred to, and the new one does not.
void remove_old_parts (const formats::Planned &planned);

} // namespace sino::files
