// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/target.hpp"
#include <hdf5.h>
#include <string>

namespace sino::files {

// Whether a planned HDF5 file will be an NXtomoproc.
bool is_nxtomoproc (const formats::Planned &planned);

// Adds the parts of an NXtomoproc to a file with slices in /exchange/data: /entry with a link to these slices, and
// their provenance. HDF5's lock must be held. `failed`: message if the library fails.
void add_nxtomoproc (hid_t file, const formats::Planned &planned, const std::string &failed);

} // namespace sino::files
