// SPDX-License-Identifier: LGPL-3.0-or-later
// A dataset of an HDF5 file as a stack.
#pragma once
#include "files/hdf5.hpp"
#include "files/stack.hpp"

namespace sino::files {

// An open dataset and what its pixels are.
struct Hdf5Dataset {
  std::string path, name; // of the file; of the dataset
  std::string storage;    // the file that it lies in, which is another one behind an external link
  hdf5::Handle id;
  std::vector<hsize_t> extent;
  Element element = Element::u16;
  bool swapped = false; // the other byte order

  std::string title () const { return "'" + path + "' " + name + (storage == path ? "" : " (in '" + storage + "')"); }
};

// Opens a dataset of two or three axes (two are a stack of one page) for reading: contiguous pixels by pread, chunks
// that are plain or deflate (shuffled or not) by pread and decoded in parallel, all else through HDF5. Throws when the
// dataset is missing or holds other types.
std::shared_ptr<const Stack> open_hdf5_stack (hid_t file, const std::string &path, const std::string &dataset);

// What the stacks share, however they are stored.
class Hdf5Stack : public Stack
{
public:
  explicit Hdf5Stack (Hdf5Dataset d);

  std::vector<FileStamp> files () const override { return stamps; }

protected:
  Hdf5Dataset dataset;

private:
  std::vector<FileStamp> stamps;
};

std::shared_ptr<const Stack> chunked_stack (Hdf5Dataset dataset);

} // namespace sino::files
