// SPDX-License-Identifier: LGPL-3.0-or-later
// A dataset of an HDF5 file as a stack.
#pragma once
#include "formats/samples.hpp"
#include "tasks/files/hdf5/decode.hpp"
#include "tasks/files/hdf5/file.hpp"

namespace sino::files {

using namespace formats;

// A dataset and its description.
struct Hdf5Dataset {
  std::shared_ptr<const Hdf5File> file;
  std::string name;
  hdf5::Description facts;

  std::string title () const { return facts.title (file->path, name); }
  Samples samples () const { return {static_cast<Sample> (facts.sample), facts.swapped}; }
};

// Opens a dataset of two or three axes for reading; two axes are a stack with one page. Contiguous pixels are read by
// pread, and chunks with known filters are read by pread and decoded in parallel. The separate process reads all other
// pixels. Throws if the values have another type, the dataset is damaged, or a part is missing; with Missing::zero a
// missing part is only reported in `messages`. `growing`: parts may be missing, and unwritten () tells which.
std::shared_ptr<const Stack> open_hdf5_stack (std::shared_ptr<const Hdf5File> file, const std::string &dataset,
                                              Missing missing, std::vector<std::string> &messages,
                                              bool growing = false);

// Sets the attributes that all stacks of a dataset have.
void set_extents (Stack &stack, const Hdf5Dataset &dataset);

// The files with the dataset's data, each once, in their present state.
std::vector<FileStamp> stamps_of (const Hdf5Dataset &dataset);

// Sets n pixels to a value, given as bytes.
void fill_pixels (std::byte *to, size_t n, size_t pixel, uint64_t value);

// Stack for contiguous and compact data, raw files, images that lie in turn in other files, and data that was never
// written.
std::shared_ptr<const Stack> plain_stack (const Hdf5Dataset &dataset);
std::shared_ptr<const Stack> unit_stack (const Hdf5Dataset &dataset); // stack for chunked and virtual datasets

} // namespace sino::files
