// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/target.hpp"
#include "tasks/files/hdf5/made.hpp"

namespace sino::files {

// Whether a planned HDF5 file will be an NXtomoproc.
bool is_nxtomoproc (const formats::Planned &planned);

// Adds the parts of an NXtomoproc to a file with slices in /exchange/data: /entry with a link to these slices, and
// their provenance.
void add_nxtomoproc (const NewObjects &objects, const formats::Planned &planned);

} // namespace sino::files
