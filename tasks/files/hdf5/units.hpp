// SPDX-License-Identifier: LGPL-3.0-or-later
// Datasets that can only be read in whole units, for example chunks. Several units are read at a time, and each one is
// read once for all its wanted pixels.
#pragma once
#include "base/divide-up.hpp"
#include "tasks/files/hdf5/stack.hpp"
#include <array>

namespace sino::files {

class UnitStack : public Stack
{
public:
  void read (const Part &part, std::byte *out, const Reading &reading) const override;
  std::vector<FileStamp> files () const override { return stamps; }

protected:
  std::array<int64_t, 3> extent, chunk; // pixels of the stack and of a unit, along each axis
  size_t bytes;                         // size of a decoded unit, with values as in the file
  std::vector<FileStamp> stamps;

  explicit UnitStack (const Hdf5Dataset &dataset);

  // units_along (): number of units along an axis. units_of_layer (): number of units with the same pages.
  uint64_t units_along (size_t axis) const { return static_cast<uint64_t> (divide_up (extent[axis], chunk[axis])); }
  uint64_t units_of_layer () const { return units_along (1) * units_along (2); }
  // Pages in layers with missing units. `layers`: number of written units in each layer.
  std::vector<int64_t> unwritten_in (const std::vector<uint64_t> &layers) const;

  // Reads and decodes the unit that begins at `corner` into the buffers. Returns the number of bytes read from the
  // file. Any thread.
  virtual int64_t fetch (const std::array<int64_t, 3> &corner, ChunkBuffers &buffers) const = 0;
  // Number of units that may be fetched at once with `threads` threads.
  virtual int64_t strands (int threads) const = 0;

private:
  Samples samples; // description of the values in a decoded unit
};

// Reads and decodes chunks in this process.
std::shared_ptr<const Stack> chunk_stack (const Hdf5Dataset &dataset, Decoder decoder);
std::shared_ptr<const Stack> box_stack (const Hdf5Dataset &dataset); // lets HDF5 read the data

} // namespace sino::files
