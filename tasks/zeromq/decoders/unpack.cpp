// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "tasks/hdf5/bitshuffle.hpp"
#include "tasks/zeromq/decoders/decode.hpp"
#include <algorithm>
#include <cstring>
#include <lz4.h>
#include <numeric>
#include <vector>

namespace sino::zeromq {

namespace {

uint64_t big_endian (Bytes from)
{
  return std::accumulate (from.begin (), from.end (), uint64_t{0},
                          [] (uint64_t value, std::byte b) { return value << 8 | static_cast<uint64_t> (b); });
}

// LZ4 as HDF5's filter 32004 frames it: bytes of all (8) and of a block (4), then the blocks, each with its size (4). A
// block whose size does not change is not packed.
bool unpack_lz4 (Bytes from, std::byte *to, size_t bytes)
{
  constexpr size_t head = 12, block_head = 4;
  if (from.size () < head || big_endian (from.first (8)) != bytes)
    return false;
  const auto block = big_endian (from.subspan (8, 4));
  if (block == 0 || block > LZ4_MAX_INPUT_SIZE)
    return false;
  from = from.subspan (head);
  for (size_t done = 0; done < bytes;) {
    const auto some = std::min<size_t> (block, bytes - done);
    if (from.size () < block_head)
      return false;
    const auto packed = big_endian (from.first (block_head));
    from = from.subspan (block_head);
    if (packed > from.size () || packed > INT32_MAX)
      return false;
    if (packed == some)
      std::memcpy (to + done, from.data (), some);
    else if (LZ4_decompress_safe (reinterpret_cast<const char *> (from.data ()), reinterpret_cast<char *> (to + done),
                                  static_cast<int> (packed), static_cast<int> (some)) != static_cast<int> (some))
      return false;
    from = from.subspan (packed);
    done += some;
  }
  return from.empty ();
}

void unpack_raw (const Decoded &frame, std::byte *to)
{
  const auto bytes = frame.unpacked ();
  bool good = frame.pixels.size () == bytes;
  if (frame.packing == Packing::lz4)
    good = unpack_lz4 (frame.pixels, to, bytes);
  else if (frame.packing == Packing::bitshuffle_lz4)
    good =
        hdf5::bitshuffle_unpack (frame.pixels.data (), frame.pixels.size (), size_of (frame.samples.type), to, bytes);
  else if (good)
    std::memcpy (to, frame.pixels.data (), bytes);
  if (!good)
    fail (SINO_ERROR_BAD_FORMAT, "the packed pixels are damaged");
}

} // namespace

void unpack (const Decoded &frame, std::byte *to)
{
  const auto &samples = frame.samples;
  if (samples.plain () && !samples.swapped)
    return unpack_raw (frame, to);
  std::vector<std::byte> raw;
  auto pixels = frame.pixels;
  if (frame.packing != Packing::none) {
    raw.resize (frame.unpacked ());
    unpack_raw (frame, raw.data ());
    pixels = raw;
  }
  std::vector<int64_t> columns (static_cast<size_t> (frame.columns));
  std::iota (columns.begin (), columns.end (), 0);
  const auto line = columns.size ();
  for (size_t row = 0; row < static_cast<size_t> (frame.rows); row++)
    samples.take (pixels.data () + row * line * size_of (samples.type), 0, columns,
                  to + row * line * size_of (samples.element ()));
}

} // namespace sino::zeromq
