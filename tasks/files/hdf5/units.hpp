// SPDX-License-Identifier: LGPL-3.0-or-later
// Sources of units, which can only be read whole.
#pragma once
#include "tasks/files/hdf5/stack.hpp"
#include <array>

namespace sino::files {

class Units
{
public:
  virtual ~Units ();

  // Reads and decodes the unit that begins at `corner` into the buffers. Returns the number of bytes read from the
  // file. Any thread.
  virtual int64_t fetch (const std::array<int64_t, 3> &corner, ChunkBuffers &buffers) const = 0;
  // strands (): how many units may be fetched at once with `threads` threads; scratch (): memory for that; resident ():
  // memory that is held.
  virtual int64_t strands (int threads) const = 0;
  virtual size_t scratch (int threads) const = 0;
  virtual size_t resident () const = 0;
  virtual std::vector<FileStamp> files () const = 0;
  // Pages with units that were never written, ascending.
  virtual std::vector<int64_t> unwritten () const { return {}; }
};

// `stack` must have its extents and unit.
std::unique_ptr<Units> chunk_units (const Stack &stack, const Hdf5Dataset &dataset, Decoder decoder); // decoded here
std::unique_ptr<Units> box_units (const Stack &stack, const Hdf5Dataset &dataset);                    // read by HDF5

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

// Bytes of a decoded unit, with values as in the file.
inline size_t unit_bytes (const Stack &stack)
{
  return static_cast<size_t> (stack.unit.pages * stack.unit.lines * stack.unit.columns) * stack.stored_pixel;
}

} // namespace sino::files
