// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes HDF5 with bitshuffled chunks compressed by LZ4, as detectors do: several times as fast as deflate, for readers
// with the filter's plugin.
#include "tasks/files/hdf5/packed.hpp"
#include "tasks/hdf5/bitshuffle.hpp"
#include <algorithm>

namespace sino::files {

using namespace formats;

namespace {

class BitshuffleLz4 final : public Press
{
public:
  BitshuffleLz4 (size_t chunk, size_t p) : pixel (p), whole (chunk), scratch (hdf5::bitshuffle_scratch (p)) {}

  static size_t most (size_t chunk, size_t pixel) { return hdf5::bitshuffle_most (chunk, pixel); }
  static size_t own (size_t chunk, size_t pixel)
  {
    constexpr size_t lz4_bytes = 1 << 14; // size of LZ4's table
    return chunk + hdf5::bitshuffle_scratch (pixel) + lz4_bytes;
  }

  void pack (const std::byte *pixels, size_t n, Packed &to) override
  {
    if (n < whole.size ()) {
      std::copy_n (pixels, n, whole.begin ());
      std::fill (whole.begin () + static_cast<ptrdiff_t> (n), whole.end (), std::byte{0});
      pixels = whole.data ();
    }
    to.size = hdf5::bitshuffle_pack (pixels, whole.size (), pixel, to.bytes.data (), scratch.data ());
  }

private:
  size_t pixel;
  std::vector<std::byte> whole; // buffer for a chunk that is not complete
  std::vector<std::byte> scratch;
};

const Registered<WritingFormat> lz4 (packed_format<BitshuffleLz4> ("HDF5 bitshuffle-LZ4", Compression::lz4, -2));

} // namespace
} // namespace sino::files
