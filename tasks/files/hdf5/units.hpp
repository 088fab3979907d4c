// SPDX-License-Identifier: LGPL-3.0-or-later
// Datasets that are read in units, which can only be read whole: many at a time, and each once for all its wanted
// pixels.
#pragma once
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
  size_t bytes;                         // of a decoded unit, with values as in the file
  std::vector<FileStamp> stamps;

  explicit UnitStack (const Hdf5Dataset &dataset);

  // Reads and decodes the unit that begins at `corner` into the buffers. Returns the number of bytes read from the
  // file. Any thread.
  virtual int64_t fetch (const std::array<int64_t, 3> &corner, ChunkBuffers &buffers) const = 0;
  // How many units may be fetched at once with `threads` threads.
  virtual int64_t strands (int threads) const = 0;

private:
  Samples samples; // of a decoded unit
};

std::shared_ptr<const Stack> chunk_stack (const Hdf5Dataset &dataset, Decoder decoder); // decoded here
std::shared_ptr<const Stack> box_stack (const Hdf5Dataset &dataset);                    // read by HDF5

// Number of written chunks in each layer; a layer is the pages that one chunk covers.
struct ChunkCounts {
  std::array<int64_t, 3> extent, chunk;
  uint64_t of_layer; // chunks in a complete layer
  std::vector<uint64_t> written;

  ChunkCounts (const std::array<int64_t, 3> &extent, const std::array<int64_t, 3> &chunk);
  void add (int64_t layer)
  {
    if (layer >= 0 && layer < std::ssize (written))
      written[static_cast<size_t> (layer)]++;
  }
  std::vector<int64_t> unwritten () const; // pages
};

} // namespace sino::files
