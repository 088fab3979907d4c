// SPDX-License-Identifier: LGPL-3.0-or-later
// What a dataset says of the filters of its chunks, which come packed. HDF5 changes that where the process has the
// filter, of its own or by a plugin, so that it is read back before a chunk is packed.
#pragma once
#include "formats/target.hpp"
#include "tasks/hdf5/library.hpp"

namespace sino::files {

// While it lives, HDF5 loads no filters of HDF5_PLUGIN_PATH, which may be made for another library: chunks come packed.
class WithoutPlugins
{
public:
  WithoutPlugins ();
  ~WithoutPlugins ();
  WithoutPlugins (const WithoutPlugins &) = delete;
  WithoutPlugins &operator= (const WithoutPlugins &) = delete;

private:
  unsigned before = 0;
};

// `type`: of the values. This library need not have the filter.
void add_filters (hid_t creation, formats::Compression packed, hid_t type, const std::string &failed);

// Throws where a dataset that was made says something else than that of chunks as they will be packed.
void check_filters (hid_t made, formats::Compression packed, size_t pixel, const std::string &failed);

} // namespace sino::files
