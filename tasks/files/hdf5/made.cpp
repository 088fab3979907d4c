// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/made.hpp"

namespace sino::files {

using hdf5::Handle;

Handle untimed (hid_t kind, const std::string &failed)
{
  Handle creation (H5Pcreate (kind), H5Pclose, failed);
  hdf5::check (H5Pset_obj_track_times (creation, false), failed);
  return creation;
}

Handle text_type (const std::string &failed)
{
  Handle type (H5Tcopy (H5T_C_S1), H5Tclose, failed);
  hdf5::check (H5Tset_size (type, H5T_VARIABLE), failed);
  hdf5::check (H5Tset_cset (type, H5T_CSET_UTF8), failed);
  return type;
}

Handle space_of (size_t values, const std::string &failed)
{
  const hsize_t extent = values;
  return {values == 1 ? H5Screate (H5S_SCALAR) : H5Screate_simple (1, &extent, nullptr), H5Sclose, failed};
}

void set_attribute (hid_t object, const char *name, const std::vector<const char *> &words, const std::string &failed)
{
  const auto type = text_type (failed), space = space_of (words.size (), failed);
  const Handle made (H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
  hdf5::check (H5Awrite (made, type, words.data ()), failed);
}

} // namespace sino::files
