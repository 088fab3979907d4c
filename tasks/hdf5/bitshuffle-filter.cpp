// SPDX-License-Identifier: LGPL-3.0-or-later
// Registers the filter in HDF5's library, for pixels that the library itself has to read.
#include "tasks/hdf5/bitshuffle.hpp"
#include <hdf5.h>
#include <new>

namespace sino::hdf5 {

// A filter function of HDF5: replaces the buffer and returns its number of bytes, or 0 on failure.
static size_t filter (unsigned flags, size_t n, const unsigned *values, size_t bytes, size_t *room, void **buffer)
{
  const auto *from = static_cast<const std::byte *> (*buffer);
  const size_t pixel = n > 2 ? values[2] : 0;
  const bool known = pixel == 1 || pixel == 2 || pixel == 4 || pixel == 8;
  const auto size = bitshuffle_size (from, bytes);
  if (!(flags & H5Z_FLAG_REVERSE) || n < 5 || values[4] != bitshuffle_lz4 || !known || !size)
    return 0;
  if (*size > bytes * 255) // more than LZ4 can expand to
    return 0;
  auto *pixels = static_cast<std::byte *> (H5allocate_memory (*size, false));
  try {
    if (pixels && bitshuffle_unpack (from, bytes, pixel, pixels, *size)) {
      H5free_memory (*buffer);
      *buffer = pixels;
      *room = *size;
      return *size;
    }
  } catch (const std::bad_alloc &) { // HDF5 is C, so no exception may pass
  }
  H5free_memory (pixels);
  return 0;
}

static bool own = false; // whether this filter is used, not that of a plugin

void add_bitshuffle ()
{
  if (H5Zfilter_avail (bitshuffle_id) > 0)
    return; // a plugin supports other compressions as well
  own = true;
  const H5Z_class2_t described{H5Z_CLASS_T_VERS, bitshuffle_id, 0, 1, bitshuffle_name, nullptr, nullptr, filter};
  H5Zregister (&described);
}

bool has_filter (int32_t id, std::span<const unsigned> values)
{
  if (id == bitshuffle_id && own)
    return values.size () > 4 && values[4] == bitshuffle_lz4;
  return H5Zfilter_avail (id) > 0;
}

} // namespace sino::hdf5
