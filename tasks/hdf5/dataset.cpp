// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/dataset.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/hdf5/bitshuffle.hpp"
#include "tasks/hdf5/objects.hpp"
#include "tasks/hdf5/other-files.hpp"
#include "tasks/hdf5/sources.hpp"
#include <algorithm>
#include <bit>

namespace sino::hdf5 {

namespace {

// Whether a type is IEEE 754: no padding, an exponent with its bias, an implied first bit of the mantissa.
bool is_ieee (hid_t type, size_t size)
{
  struct Fields {
    size_t sign, exponent, exponent_size, mantissa, mantissa_size;
    bool operator== (const Fields &) const = default;
  } fields;
  if (H5Tget_fields (type, &fields.sign, &fields.exponent, &fields.exponent_size, &fields.mantissa,
                     &fields.mantissa_size) < 0)
    return false;
  const bool half = size == 2, single = size == 4;
  const Fields wanted =
      half     ? Fields{.sign = 15, .exponent = 10, .exponent_size = 5, .mantissa = 0, .mantissa_size = 10}
      : single ? Fields{.sign = 31, .exponent = 23, .exponent_size = 8, .mantissa = 0, .mantissa_size = 23}
               : Fields{.sign = 63, .exponent = 52, .exponent_size = 11, .mantissa = 0, .mantissa_size = 52};
  const size_t bias = half ? 15 : single ? 127 : 1023;
  return fields == wanted && H5Tget_ebias (type) == bias && H5Tget_norm (type) == H5T_NORM_IMPLIED;
}

// Whether a type uses all its bits and a usual byte order.
bool is_plain (hid_t type, size_t size)
{
  const auto order = H5Tget_order (type);
  return H5Tget_precision (type) == size * 8 && H5Tget_offset (type) == 0 &&
         (size == 1 || order == H5T_ORDER_LE || order == H5T_ORDER_BE);
}

// The type of a dataset's values; throws if it is not supported, with a list of supported ones.
Sample find_sample (hid_t type, const std::string &title)
{
  const auto kind = H5Tget_class (type);
  const auto size = H5Tget_size (type);
  const bool number = kind == H5T_INTEGER || kind == H5T_FLOAT, plain = number && is_plain (type, size);
  const bool is_signed = kind == H5T_INTEGER && H5Tget_sign (type) == H5T_SGN_2;
  std::string found = "other";
  if (number)
    found = text ("%c%zu", kind == H5T_FLOAT ? 'f' : is_signed ? 'i' : 'u', size * 8);
  if (const auto sample = formats::sample_named (found);
      sample && plain && (kind == H5T_INTEGER || is_ieee (type, size)))
    return *sample;
  if (kind == H5T_INTEGER && !plain)
    found += text (" values of %zu bits, which are not plain %s", H5Tget_precision (type), found.c_str ());
  else if (kind == H5T_FLOAT && size <= 8)
    found += " values, but not of IEEE 754";
  else
    found += " values";
  fail (SINO_ERROR_BAD_FILE, "%s contains %s: convert them to u8, u16, f16 or f32", title.c_str (), found.c_str ());
}

// The value of pixels that were never written; zero if the file gives none.
uint64_t find_fill (hid_t creation, Sample sample)
{
  uint64_t value = 0;
  H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
  if (H5Pfill_value_defined (creation, &defined) >= 0 && defined != H5D_FILL_VALUE_UNDEFINED &&
      H5Pget_fill_value (creation, memory_type (sample), &value) < 0)
    value = 0;
  H5Eclear2 (H5E_DEFAULT);
  return value;
}

void describe_chunks (hid_t dataset, hid_t creation, Description &d)
{
  const auto failed = "cannot read " + in_quotes (d.storage);
  d.chunk.resize (d.extent.size (), 1);
  std::vector<hsize_t> chunk (d.extent.size (), 1);
  check (H5Pget_chunk (creation, static_cast<int> (chunk.size ()), chunk.data ()), failed);
  d.chunk.assign (chunk.begin (), chunk.end ());
  unsigned options = 0;
  check (H5Pget_chunk_opts (creation, &options), failed);
  d.bare_edges = options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS;
  hsize_t chunks = 0;
  const Handle space (H5Dget_space (dataset), H5Sclose, failed);
  check (H5Dget_num_chunks (dataset, space, &chunks), failed);
  d.chunks = chunks;
  d.stored = H5Dget_storage_size (dataset);
  d.filters = filters_of (creation);
  for (auto &filter : d.filters)
    filter.available = has_filter (filter.id, filter.values);
  H5Eclear2 (H5E_DEFAULT);
  d.placed = chunks_are_placed (dataset);
}

} // namespace

Handle open_dataset (hid_t file, const std::string &name)
{
  require_dataset (file, name);
  return {H5Dopen2 (file, name.c_str (), dataset_access ()), H5Dclose, "cannot open " + title_of (file, name)};
}

Description describe (hid_t dataset, hid_t file, const std::string &path, const std::string &name, Sources &made)
{
  Description d;
  d.storage = file_path (dataset);
  if (d.storage == file_path (file))
    d.storage = path;
  const auto title = d.title (path, name);
  const auto failed = "cannot read " + title;
  const Handle creation (H5Dget_create_plist (dataset), H5Pclose, failed),
      type (H5Dget_type (dataset), H5Tclose, failed);
  const auto layout = H5Pget_layout (creation);
  made = find_sources (dataset); // first, because missing sources can explain an empty dataset
  d.sources = std::move (made.list);
  d.unit = made.unit;
  d.most = made.most;
  d.in_turn = made.in_turn;
  d.bare = std::move (made.bare);
  d.unknown = std::move (made.unknown);
  const Handle space (H5Dget_space (dataset), H5Sclose, failed);
  const auto extent = extents (space);
  d.extent.assign (extent.begin (), extent.end ());
  if (d.extent.size () != 2 && d.extent.size () != 3)
    fail (SINO_ERROR_BAD_FILE, "%s has %zu axes: a stack of images has three", title.c_str (), d.extent.size ());
  const auto sample = find_sample (type, title);
  d.sample = static_cast<uint32_t> (sample);
  const auto native = std::endian::native == std::endian::little ? H5T_ORDER_LE : H5T_ORDER_BE;
  d.swapped = size_of (sample) > 1 && H5Tget_order (type) != native;
  d.fill = find_fill (creation, sample);

  const Handle home (H5Iget_file_id (dataset), H5Fclose, failed),
      file_creation (H5Fget_create_plist (home), H5Pclose, failed);
  hsize_t user_block = 0;
  check (H5Pget_userblock (file_creation, &user_block), failed);
  d.user_block = user_block;
  if (layout == H5D_VIRTUAL)
    d.layout = Layout::assembled;
  else if (layout == H5D_COMPACT) {
    d.layout = Layout::compact;
    d.pixels.resize (H5Dget_storage_size (dataset));
    check (H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, d.pixels.data ()), failed);
  } else if (layout == H5D_CHUNKED) {
    d.layout = Layout::chunked;
    describe_chunks (dataset, creation, d);
  } else if (H5Pget_external_count (creation) > 0)
    d.layout = Layout::external;
  else {
    // For data that was never written, H5Dget_offset () would return the undefined address plus the user block.
    if (H5Dget_storage_size (dataset) > 0)
      d.offset = H5Dget_offset (dataset);
    H5Eclear2 (H5E_DEFAULT); // H5Dget_offset () fails for data that was never written
  }
  return d;
}

// Sets the common part of a gap and a box to zero.
static void clear (const Handle &gap, const hsize_t *corner, const hsize_t *extent, size_t axes, size_t pixel,
                   std::string &pixels)
{
  const Handle both (H5Scopy (gap), H5Sclose, "HDF5");
  if (H5Sget_simple_extent_ndims (both) != static_cast<int> (axes))
    return;
  if (H5Sget_select_type (both) == H5S_SEL_ALL)
    check (H5Sselect_hyperslab (both, H5S_SELECT_SET, corner, nullptr, extent, nullptr), "HDF5");
  else
    check (H5Sselect_hyperslab (both, H5S_SELECT_AND, corner, nullptr, extent, nullptr), "HDF5");
  if (H5Sget_select_type (both) != H5S_SEL_HYPERSLABS)
    return; // no common part
  const auto n = H5Sget_select_hyper_nblocks (both);
  check (n < 0 ? -1 : 0, "HDF5");
  std::vector<hsize_t> blocks (static_cast<size_t> (n) * 2 * axes);
  check (H5Sget_select_hyper_blocklist (both, 0, static_cast<hsize_t> (n), blocks.data ()), "HDF5");
  for (const auto *block = blocks.data (); block != blocks.data () + blocks.size (); block += 2 * axes) {
    hsize_t low[3] = {}, high[3] = {}, size[3] = {1, 1, 1};
    for (size_t i = 0, k = 3 - axes; i < axes; i++, k++) {
      low[k] = block[i] - corner[i];
      high[k] = block[axes + i] - corner[i];
      size[k] = extent[i];
    }
    for (auto p = low[0]; p <= high[0]; p++)
      for (auto l = low[1]; l <= high[1]; l++)
        std::fill_n (pixels.begin () + static_cast<std::ptrdiff_t> (((p * size[1] + l) * size[2] + low[2]) * pixel),
                     (high[2] - low[2] + 1) * pixel, '\0');
  }
}

std::string read_box (hid_t dataset, Sample sample, const std::array<uint64_t, 3> &at,
                      const std::array<uint64_t, 3> &size, const std::vector<Handle> &gaps)
{
  const auto failed = "cannot read " + in_quotes (file_path (dataset));
  const hsize_t corner[3] = {at[0], at[1], at[2]}, extent[3] = {size[0], size[1], size[2]};
  const Handle from (H5Dget_space (dataset), H5Sclose, failed),
      into (H5Screate_simple (3, extent, nullptr), H5Sclose, failed);
  const auto axes = H5Sget_simple_extent_ndims (from);
  if (axes != 2 && axes != 3)
    fail (SINO_ERROR_BAD_FILE, "%s: it now has %d axes", failed.c_str (), axes);
  const auto skip = static_cast<size_t> (3 - axes);
  check (H5Sselect_hyperslab (from, H5S_SELECT_SET, corner + skip, nullptr, extent + skip, nullptr), failed);
  std::string pixels (size[0] * size[1] * size[2] * size_of (sample), '\0');
  check (H5Dread (dataset, memory_type (sample), into, from, H5P_DEFAULT, pixels.data ()), failed);
  for (const auto &gap : gaps)
    clear (gap, corner + skip, extent + skip, static_cast<size_t> (axes), size_of (sample), pixels);
  return pixels;
}

} // namespace sino::hdf5
