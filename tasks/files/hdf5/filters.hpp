// SPDX-License-Identifier: LGPL-3.0-or-later
// The filter entries of a dataset whose chunks are written packed. If the process has the filter, its own or as a
// plugin, HDF5 changes the entries, so they are read back before a chunk is packed.
#pragma once
#include "formats/target.hpp"
#include "tasks/hdf5/library.hpp"

namespace sino::files {

// While this object exists, HDF5 loads no filters from HDF5_PLUGIN_PATH, which may be built for another library: chunks
// are written packed, so no filter is needed.
class WithoutPlugins : NoCopy
{
public:
  WithoutPlugins ();
  ~WithoutPlugins ();

private:
  unsigned before = 0;
};

// `type`: of the values. The library need not have the filter.
void add_filters (hid_t creation, formats::Compression packed, hid_t type, const std::string &failed);

// Throws if a new dataset has other filter entries than packed chunks need.
void check_filters (hid_t made, formats::Compression packed, size_t pixel, const std::string &failed);

} // namespace sino::files
