// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes HDF5 with shuffled and deflated chunks, which every HDF5 library can read.
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "tasks/files/hdf5/packed.hpp"
#include <algorithm>
#include <libdeflate.h>

namespace sino::files {

using namespace formats;

namespace {

constexpr size_t libdeflate_bytes = size_t{3} << 19; // memory of a compressor

class Deflate final : public Press
{
public:
  Deflate (size_t chunk, size_t p) : pixel (p), shuffled (chunk)
  {
    if (!compressor)
      fail (SINO_ERROR_MEMORY, "no memory for compression");
  }

  static size_t most (size_t chunk, size_t) { return chunk; }
  static size_t own (size_t chunk, size_t) { return chunk + libdeflate_bytes; }

  void pack (const std::byte *pixels, size_t n, Packed &to) override
  {
    const auto pitch = shuffled.size () / pixel, filled = n / pixel;
    for (size_t k = 0; k < pixel; k++) {
      auto *plane = shuffled.data () + k * pitch;
      for (size_t i = 0; i < filled; i++)
        plane[i] = pixels[i * pixel + k];
      std::fill (plane + filled, plane + pitch, std::byte{0});
    }
    to.size = libdeflate_zlib_compress (compressor.get (), shuffled.data (), shuffled.size (), to.bytes.data (),
                                        to.bytes.size ());
    to.skipped = 0;
    if (to.size > 0)
      return;
    to.size = shuffled.size (); // stored uncompressed, as it would become larger
    to.skipped = pixel > 1 ? 2 : 1;
    std::copy (shuffled.begin (), shuffled.end (), to.bytes.begin ());
  }

private:
  std::unique_ptr<libdeflate_compressor, Deleter<libdeflate_free_compressor>> compressor{
      libdeflate_alloc_compressor (1)};
  size_t pixel;
  std::vector<std::byte> shuffled;
};

const Registered<WritingFormat> deflated (packed_format<Deflate> ("HDF5 deflate", Compression::deflate, -1));

} // namespace
} // namespace sino::files
