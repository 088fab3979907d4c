// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/target.hpp"
#include <hdf5.h>
#include <string>

namespace sino::files {

// Whether an HDF5 file that is to be written is one.
bool is_nxtomoproc (const formats::Planned &planned);

// Adds what makes a file with slices in /exchange/data an NXtomoproc, too: /entry with the same slices, where they lie,
// and what made them. HDF5's lock is held. `failed`: of the file, for messages.
void add_nxtomoproc (hid_t file, const formats::Planned &planned, const std::string &failed);

} // namespace sino::files
