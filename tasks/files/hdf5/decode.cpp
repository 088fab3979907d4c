// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/decode.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "tasks/hdf5/bitshuffle.hpp"
#include <algorithm>
#include <cstring>
#include <libdeflate.h>

namespace sino::files {

// Filter numbers from H5Zpublic.h.
constexpr int32_t deflate_id = 1, shuffle_id = 2, fletcher32_id = 3;

void check_filters (const std::vector<hdf5::Filter> &filters, const std::string &title)
{
  for (const auto &filter : filters)
    if (!filter.available)
      fail (SINO_ERROR_BAD_FILE,
            "%s is compressed with filter %d (%s), which HDF5 does not have on this computer: install its plugin and "
            "set HDF5_PLUGIN_PATH, or write the file again with deflate",
            title.c_str (), static_cast<int> (filter.id), filter.name.c_str ());
}

bool Decoder::understand (const std::vector<hdf5::Filter> &list, size_t p)
{
  pixel = p;
  filters.clear ();
  for (const auto &filter : list)
    // If two filters compress, the output length of the first one is not known here.
    if (filter.id == deflate_id && !packed ())
      filters.push_back (Filter::deflate);
    else if (filter.id == hdf5::bitshuffle_id && !packed () && filter.values.size () > 4 && filter.values[2] == pixel &&
             filter.values[4] == hdf5::bitshuffle_lz4)
      filters.push_back (Filter::bitshuffle);
    else if (filter.id == shuffle_id && !filter.values.empty () && filter.values[0] == pixel)
      filters.push_back (Filter::shuffle);
    else if (filter.id == fletcher32_id)
      filters.push_back (Filter::fletcher32);
    else
      return false;
  return filters.size () <= 32;
}

bool Decoder::packs (Filter filter)
{
  return filter == Filter::deflate || filter == Filter::bitshuffle;
}

bool Decoder::packed () const
{
  return std::ranges::any_of (filters, packs);
}

static bool inflate (const std::byte *from, size_t n, std::byte *to, size_t room)
{
  static thread_local const std::unique_ptr<libdeflate_decompressor, Deleter<libdeflate_free_decompressor>>
      decompressor (libdeflate_alloc_decompressor ());
  size_t got = 0;
  return libdeflate_zlib_decompress (decompressor.get (), from, n, to, room, &got) == LIBDEFLATE_SUCCESS && got == room;
}

// Undoes the shuffle filter: HDF5 stores the first bytes of all values, then the second ones, and so on.
static void unshuffle (const std::byte *from, size_t n, size_t pixel, std::byte *to)
{
  const auto values = n / pixel;
  for (size_t b = 0; b < pixel; b++)
    for (size_t i = 0; i < values; i++)
      to[i * pixel + b] = from[b * values + i];
  std::memcpy (to + values * pixel, from + values * pixel, n % pixel);
}

// Fletcher's checksum over 16-bit words, high byte first, as in HDF5. Up to 360 words can be summed without overflow.
static uint32_t fletcher32 (const std::byte *from, size_t n)
{
  uint32_t low = 0, high = 0;
  const auto fold = [] (uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  const auto *p = reinterpret_cast<const unsigned char *> (from);
  for (auto words = n / 2; words > 0;) {
    const auto some = std::min<size_t> (words, 360);
    for (size_t i = 0; i < some; i++, p += 2) {
      low += static_cast<uint32_t> (p[0] << 8 | p[1]);
      high += low;
    }
    words -= some;
    low = fold (low);
    high = fold (high);
  }
  if (n % 2) {
    low = low + static_cast<uint32_t> (*p << 8);
    high = fold (high + low);
    low = fold (low);
  }
  return fold (high) << 16 | fold (low);
}

// The checksum follows the data, low byte first. HDF5 up to 1.6.2 swapped the bytes of each half.
static bool sum_holds (const std::byte *from, size_t n)
{
  const auto *p = reinterpret_cast<const unsigned char *> (from) + n;
  const auto stored = static_cast<uint32_t> (p[0]) | static_cast<uint32_t> (p[1]) << 8 |
                      static_cast<uint32_t> (p[2]) << 16 | static_cast<uint32_t> (p[3]) << 24;
  const auto sum = fletcher32 (from, n), turned = (sum & 0x00ff00ff) << 8 | (sum & 0xff00ff00) >> 8;
  return stored == sum || stored == turned;
}

const char *Decoder::decode (ChunkBuffers &buffers, size_t stored, uint32_t skipped, size_t chunk) const
{
  constexpr size_t sum_bytes = 4;
  const auto left_out = [skipped] (size_t i) { return (skipped >> i & 1) != 0; };
  // Length before compression: a chunk, and the checksums of filters applied before.
  auto unpacked = chunk;
  for (size_t i = 0; i < filters.size () && !packs (filters[i]); i++)
    if (filters[i] == Filter::fletcher32 && !left_out (i))
      unpacked += sum_bytes;
  auto bytes = stored;
  for (auto i = filters.size (); i-- > 0;) {
    if (left_out (i))
      continue;
    if (filters[i] == Filter::fletcher32) {
      if (bytes < sum_bytes || !sum_holds (buffers.decoded (), bytes - sum_bytes))
        return "does not match its stored checksum";
      bytes -= sum_bytes;
    } else if (packs (filters[i])) {
      auto *to = buffers.following (unpacked);
      const bool sound = filters[i] == Filter::deflate
                             ? inflate (buffers.decoded (), bytes, to, unpacked)
                             : hdf5::bitshuffle_unpack (buffers.decoded (), bytes, pixel, to, unpacked);
      if (!sound)
        return "cannot be decoded";
      bytes = unpacked;
      buffers.turn ();
    } else if (pixel > 1) {
      unshuffle (buffers.decoded (), bytes, pixel, buffers.following (bytes));
      buffers.turn ();
    }
  }
  return bytes == chunk ? nullptr : "cannot be decoded";
}

} // namespace sino::files
