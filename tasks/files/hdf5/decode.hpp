// SPDX-License-Identifier: LGPL-3.0-or-later
// The filters of HDF5 chunks that are undone here: deflate, shuffle, fletcher32, and bitshuffle with LZ4.
#pragma once
#include "tasks/hdf5/protocol.hpp"
#include <cstddef>

namespace sino::files {

// The memory of one chunk on its way through the filters: two buffers in turns.
class ChunkBuffers
{
public:
  // Bytes of a chunk as it is stored, where it is not damaged: what cannot be compressed becomes larger by a little.
  static constexpr size_t most_stored (size_t chunk) { return chunk + chunk / 8 + 4096; }
  static constexpr size_t bytes (size_t chunk) { return chunk + most_stored (chunk); }

  // Room for the bytes as they are stored, and for a stage of n bytes that follows them.
  std::byte *stored (size_t n) { return grow (now, n); }
  std::byte *following (size_t n) { return grow (1 - now, n); }
  void turn () { now = 1 - now; }
  // Room for a chunk that needs no decoding.
  std::byte *room (size_t n) { return grow (now, n); }
  std::byte *decoded () { return memory[now].data (); }

private:
  std::vector<std::byte> memory[2];
  int now = 0;

  std::byte *grow (int which, size_t n)
  {
    if (memory[which].size () < n)
      memory[which].resize (n);
    return memory[which].data ();
  }
};

// Throws when a filter of a dataset is one that HDF5 does not have here. `title`: of the dataset, for the message.
void check_filters (const std::vector<hdf5::Filter> &filters, const std::string &title);

class Decoder
{
public:
  // Learns the filters of a dataset; false when HDF5 has to undo them: others, or in an unusual row.
  bool understand (const std::vector<hdf5::Filter> &filters, size_t pixel);
  // Makes pixels of stored bytes; `skipped` has a bit for each filter that was left out. What is wrong with them, or
  // null.
  const char *decode (ChunkBuffers &buffers, size_t stored, uint32_t skipped, size_t chunk) const;

private:
  enum class Filter { deflate, shuffle, fletcher32, bitshuffle };
  std::vector<Filter> filters; // filters in the order in which they were applied
  size_t pixel = 1;

  static bool packs (Filter filter); // makes other lengths
  bool packed () const;
};

} // namespace sino::files
