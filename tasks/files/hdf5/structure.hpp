// SPDX-License-Identifier: LGPL-3.0-or-later
// The structure of an HDF5 file with a stream: the group /exchange with datasets and their attributes.
#pragma once
#include "formats/descriptor.hpp"
#include "formats/target.hpp"
#include <hdf5.h>

namespace sino::files {

// Offsets of the first pixels in the file. Compressed pixels, and those in other files, have none: -1.
struct Offsets {
  int64_t pixels = -1, darks = 0, flats = 0;
};

// Makes the file, with space for the pixels, for darks and flats, and for checksums; writes the rest. `chunk`: extents
// of compressed chunks; empty: pixels are contiguous. `path`: for messages.
Offsets lay_out (const formats::Descriptor &out, const std::string &path, const formats::Planned &planned,
                 const std::vector<hsize_t> &chunk);

// The same for one of the files that share the images; returns the offset of its pixels.
int64_t lay_out_part (const formats::Descriptor &out, const std::string &path, const formats::Planned &planned,
                      int number);
constexpr char part_of[] = "part_of"; // an attribute of its data: the name of the file that refers to it

// Whether voxel sizes with a unit are in the file. A scan has a pixel size without one.
inline bool keeps_sizes (const formats::Planned &planned)
{
  return planned.format.kind () == Kind::slices;
}

// Whether darks and flats are in the file. They do not belong to values that are no raw counts.
bool keeps_companions (const formats::Planned &planned);

} // namespace sino::files
