// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/decode.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <memory>

namespace sino::files {

void check_filters (hid_t creation, const std::string &title)
{
  for (int i = 0; i < H5Pget_nfilters (creation); i++) {
    char name[80] = {};
    unsigned flags = 0, config = 0;
    size_t n = 0;
    const auto filter =
        H5Pget_filter2 (creation, static_cast<unsigned> (i), &flags, &n, nullptr, sizeof name, name, &config);
    if (filter < 0 || H5Zfilter_avail (filter) > 0)
      continue;
    H5Eclear2 (H5E_DEFAULT);
    fail (SINO_ERROR_BAD_FILE,
          "%s is compressed with filter %d (%s), which HDF5 does not have here: install its plugin and set "
          "HDF5_PLUGIN_PATH, or write the file again with deflate",
          title.c_str (), static_cast<int> (filter), name);
  }
}

bool Decoder::understand (hid_t creation, size_t p)
{
  pixel = p;
  filters.clear ();
  for (int i = 0; i < H5Pget_nfilters (creation); i++) {
    unsigned flags = 0, config = 0, values[8] = {};
    size_t n = 8;
    const auto filter = H5Pget_filter2 (creation, static_cast<unsigned> (i), &flags, &n, values, 0, nullptr, &config);
    // The length that the first of two deflates had is not known here.
    if (filter == H5Z_FILTER_DEFLATE && std::count (filters.begin (), filters.end (), Filter::deflate) == 0)
      filters.push_back (Filter::deflate);
    else if (filter == H5Z_FILTER_SHUFFLE && n > 0 && values[0] == pixel)
      filters.push_back (Filter::shuffle);
    else
      return false;
  }
  return true;
}

static bool inflate (const std::byte *from, size_t n, std::byte *to, size_t room)
{
  struct Free {
    void operator() (libdeflate_decompressor *d) const { libdeflate_free_decompressor (d); }
  };
  static thread_local const std::unique_ptr<libdeflate_decompressor, Free> decompressor (
      libdeflate_alloc_decompressor ());
  size_t got = 0;
  return libdeflate_zlib_decompress (decompressor.get (), from, n, to, room, &got) == LIBDEFLATE_SUCCESS && got == room;
}

// HDF5 stores the first bytes of all values, then the second ones, and so on.
static void unshuffle (const std::byte *from, size_t n, size_t pixel, std::byte *to)
{
  const auto values = n / pixel;
  for (size_t b = 0; b < pixel; b++)
    for (size_t i = 0; i < values; i++)
      to[i * pixel + b] = from[b * values + i];
  std::memcpy (to + values * pixel, from + values * pixel, n % pixel);
}

bool Decoder::decode (ChunkBuffers &buffers, size_t stored, uint32_t skipped, size_t chunk) const
{
  auto bytes = stored;
  for (auto i = filters.size (); i-- > 0;) {
    if (skipped >> i & 1)
      continue;
    if (filters[i] == Filter::deflate && !inflate (buffers.decoded (), bytes, buffers.following (chunk), chunk))
      return false;
    if (filters[i] == Filter::deflate)
      bytes = chunk;
    else if (pixel > 1)
      unshuffle (buffers.decoded (), bytes, pixel, buffers.following (bytes));
    else
      continue;
    buffers.turn ();
  }
  return bytes == chunk;
}

} // namespace sino::files
