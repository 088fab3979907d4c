// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/filters.hpp"
#include "base/error.hpp"
#include "tasks/hdf5/bitshuffle.hpp"
#include <span>
#include <vector>

namespace sino::files {

using formats::Compression;
using hdf5::check;
using hdf5::Filter;
using hdf5::Handle;

namespace {

// After two numbers for its version, bitshuffle has the size of values, the size of its blocks (0: default), and the
// compression.
bool fit (const std::vector<Filter> &filters, Compression packed, size_t pixel)
{
  if (packed == Compression::lz4)
    return filters.size () == 1 && filters[0].id == hdf5::bitshuffle_id && filters[0].values.size () > 4 &&
           filters[0].values[2] == pixel && filters[0].values[3] == 0 && filters[0].values[4] == hdf5::bitshuffle_lz4;
  const auto deflate = filters.size () - 1;
  return filters.size () == (pixel > 1 ? 2 : 1) && filters[deflate].id == H5Z_FILTER_DEFLATE &&
         (pixel == 1 || (filters[0].id == H5Z_FILTER_SHUFFLE && filters[0].values == std::vector{unsigned (pixel)}));
}

// Whether a new dataset with these filter values gets those that packed chunks need; HDF5 may change them. Tried with a
// file in memory.
bool becomes (std::span<const unsigned> values, hid_t type, const std::string &failed)
{
  const Handle access (H5Pcreate (H5P_FILE_ACCESS), H5Pclose, failed);
  check (H5Pset_fapl_core (access, 4096, false), failed);
  const Handle file (H5Fcreate ("sinograph-trial", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, failed),
      creation (H5Pcreate (H5P_DATASET_CREATE), H5Pclose, failed);
  constexpr hsize_t extent = 64;
  const Handle space (H5Screate_simple (1, &extent, nullptr), H5Sclose, failed);
  check (H5Pset_chunk (creation, 1, &extent), failed);
  check (H5Pset_filter (creation, hdf5::bitshuffle_id, H5Z_FLAG_OPTIONAL, values.size (), values.data ()), failed);
  const auto made = H5Dcreate2 (file, "trial", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (made < 0)
    return false; // the filter rejects these values
  const Handle held (made, H5Dclose, failed), filled (H5Dget_create_plist (made), H5Pclose, failed);
  return fit (filters_of (filled), Compression::lz4, H5Tget_size (type));
}

} // namespace

WithoutPlugins::WithoutPlugins ()
{
  if (H5PLget_loading_state (&before) >= 0)
    H5PLset_loading_state (before & ~static_cast<unsigned> (H5PL_FILTER_PLUGIN));
}

WithoutPlugins::~WithoutPlugins ()
{
  H5PLset_loading_state (before);
}

void add_filters (hid_t creation, Compression packed, hid_t type, const std::string &failed)
{
  const auto pixel = static_cast<unsigned> (H5Tget_size (type));
  if (packed == Compression::lz4) {
    // If the process has the filter, it adds the first three values before the given ones.
    const unsigned all[] = {0, 4, pixel, 0, hdf5::bitshuffle_lz4};
    const std::span<const unsigned> whole (all), given = whole.subspan (3),
                                                 values = becomes (whole, type, failed) ? whole : given;
    check (H5Pset_filter (creation, hdf5::bitshuffle_id, H5Z_FLAG_OPTIONAL, values.size (), values.data ()), failed);
    return;
  }
  if (pixel > 1)
    check (H5Pset_shuffle (creation), failed);
  check (H5Pset_deflate (creation, 1), failed);
}

void check_filters (hid_t made, Compression packed, size_t pixel, const std::string &failed)
{
  const Handle creation (H5Dget_create_plist (made), H5Pclose, failed);
  if (!fit (filters_of (creation), packed, pixel))
    fail (SINO_ERROR_FAILED,
          "%s: the HDF5 filters of this process change what compression=%s means: set another compression=, or unset "
          "HDF5_PLUGIN_PATH and do not register other filters",
          failed.c_str (), packed == Compression::lz4 ? "lz4" : "deflate");
}

} // namespace sino::files
