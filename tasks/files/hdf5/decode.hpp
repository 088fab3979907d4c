// SPDX-License-Identifier: LGPL-3.0-or-later
// Decoder for filters of HDF5 chunks: deflate, shuffle, fletcher32, and bitshuffle with LZ4.
#pragma once
#include "tasks/hdf5/protocol.hpp"
#include <cstddef>

namespace sino::files {

// Memory for decoding one chunk: two buffers used in turn.
class ChunkBuffers
{
public:
  // Most bytes of a stored chunk that is not damaged: incompressible data grows slightly.
  static constexpr size_t most_stored (size_t chunk) { return chunk + chunk / 8 + 4096; }
  static constexpr size_t bytes (size_t chunk) { return chunk + most_stored (chunk); }

  // stored (): buffer for n bytes of input of a filter, or of a chunk that needs no decoding. following (): buffer for
  // n bytes of the filter's output.
  std::byte *stored (size_t n) { return grow (now, n); }
  std::byte *following (size_t n) { return grow (1 - now, n); }
  void turn () { now = 1 - now; }
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

// Throws if a filter of a dataset is not available in HDF5 here. `title`: the dataset, for the message.
void check_filters (const std::vector<hdf5::Filter> &filters, const std::string &title);

class Decoder
{
public:
  // Sets the filters of a dataset; false if HDF5 has to decode: other filters, or an unusual order.
  bool understand (const std::vector<hdf5::Filter> &filters, size_t pixel);
  // Decodes stored bytes to pixels; `skipped` has one bit per filter that was not applied. Returns an error text, or
  // null.
  const char *decode (ChunkBuffers &buffers, size_t stored, uint32_t skipped, size_t chunk) const;

private:
  enum class Filter { deflate, shuffle, fletcher32, bitshuffle };
  std::vector<Filter> filters; // filters in the order in which they were applied
  size_t pixel = 1;

  static bool packs (Filter filter); // changes the length
  bool packed () const;
};

} // namespace sino::files
