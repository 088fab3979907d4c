// SPDX-License-Identifier: LGPL-3.0-or-later
// A dataset of an HDF5 file as a stack.
#pragma once
#include "formats/samples.hpp"
#include "tasks/files/hdf5/decode.hpp"
#include "tasks/files/hdf5/file.hpp"

namespace sino::files {

using namespace formats;

// A dataset and what its pixels are.
struct Hdf5Dataset {
  std::shared_ptr<const Hdf5File> file;
  std::string name;
  hdf5::Description facts;

  std::string title () const { return facts.title (file->path, name); }
  Samples samples () const { return {static_cast<Sample> (facts.sample), facts.swapped}; }
};

// Opens a dataset of two or three axes (two are a stack of one page) for reading. Pixels that lie in the file as they
// are come by pread, chunks whose filters are known here by pread and decoded in parallel, all else from the process
// apart. Throws when the dataset holds other types or is damaged, and where a part is missing; with Missing::zero it
// tells `messages` of that.
std::shared_ptr<const Stack> open_hdf5_stack (std::shared_ptr<const Hdf5File> file, const std::string &dataset,
                                              Missing missing, std::vector<std::string> &messages);

// Sets what every stack has of a dataset.
void set_extents (Stack &stack, const Hdf5Dataset &dataset);

// The files that a dataset is read from, each once, as they are now.
std::vector<FileStamp> stamps_of (const Hdf5Dataset &dataset);

// Sets n pixels to a value, given as their bytes.
void fill_pixels (std::byte *to, size_t n, size_t pixel, uint64_t value);

// One kind of storage each.
std::shared_ptr<const Stack> plain_stack (const Hdf5Dataset &dataset); // contiguous, compact, raw files, never written
std::shared_ptr<const Stack> unit_stack (const Hdf5Dataset &dataset);  // chunked or virtual

} // namespace sino::files
