// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the pieces come from that can only be read whole.
#pragma once
#include "tasks/files/hdf5/stack.hpp"
#include <array>

namespace sino::files {

class Units
{
public:
  virtual ~Units ();

  // Brings the piece with this first pixel into the buffers, decoded. Gives back the bytes that came from the file. Any
  // thread.
  virtual int64_t fetch (const std::array<int64_t, 3> &corner, ChunkBuffers &buffers) const = 0;
  // How many may be fetched at once by so many threads, and bytes that this takes; bytes that are held.
  virtual int64_t strands (int threads) const = 0;
  virtual size_t scratch (int threads) const = 0;
  virtual size_t resident () const = 0;
  virtual std::vector<FileStamp> files () const = 0;
  // Pages of which a piece was never written, rising.
  virtual std::vector<int64_t> unwritten () const { return {}; }
};

// `stack` has its extents and unit.
std::unique_ptr<Units> chunk_units (const Stack &stack, const Hdf5Dataset &dataset, Decoder decoder); // decoded here
std::unique_ptr<Units> box_units (const Stack &stack, const Hdf5Dataset &dataset);                    // read by HDF5

// How many chunks of each layer, the pages that a chunk reaches over, were written.
struct ChunkCounts {
  std::array<int64_t, 3> extent, chunk;
  uint64_t of_layer; // chunks, where none is missing
  std::vector<uint64_t> written;

  ChunkCounts (const std::array<int64_t, 3> &extent, const std::array<int64_t, 3> &chunk);
  void add (int64_t layer)
  {
    if (layer >= 0 && layer < std::ssize (written))
      written[static_cast<size_t> (layer)]++;
  }
  std::vector<int64_t> unwritten () const; // pages
};

// Bytes of a unit, decoded: values as the file has them.
inline size_t unit_bytes (const Stack &stack)
{
  return static_cast<size_t> (stack.unit.pages * stack.unit.lines * stack.unit.columns) * stack.stored_pixel;
}

} // namespace sino::files
