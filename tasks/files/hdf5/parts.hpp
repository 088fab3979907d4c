// SPDX-License-Identifier: LGPL-3.0-or-later
// The files that have the images of an HDF5 file: which of them belong to an output, and go with it.
#pragma once
#include "formats/formats.hpp"

namespace sino::files {

inline const std::vector<std::string> hdf5_suffixes{".h5", ".hdf5", ".nxs"};
constexpr int most_files = 64; // that share the images

// The files with images that belong to an existing output, and go with it when it is replaced. `unclear`, if given,
// gets the error that kept one of the files from being examined.
std::vector<std::string> existing_parts (const std::string &output, std::string *unclear = nullptr);

// Adds to names those of the files that go with an old output, and are none of the outputs.
std::vector<std::string> with_old_parts (std::vector<std::string> names, const std::vector<std::string> &outputs,
                                         const formats::Planned &planned);
// Adds to the outputs all names that such files, and the file of checksums, may have.
std::vector<std::string> with_possible_parts (std::vector<std::string> outputs, const std::string &output,
                                              const formats::Planned &planned);

// Throws if the output would replace files with images that belong to another one, or to none: somebody may have
// renamed the file that refers to them.
void check_parts (const formats::Planned &planned);

} // namespace sino::files
