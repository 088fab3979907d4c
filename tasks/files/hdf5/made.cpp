// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/made.hpp"

namespace sino::files {

using hdf5::check;
using hdf5::Handle;

Handle untimed (hid_t kind, const std::string &failed)
{
  Handle creation (H5Pcreate (kind), H5Pclose, failed);
  check (H5Pset_obj_track_times (creation, false), failed);
  return creation;
}

// The type of UTF-8 texts. They have variable length, because HDF5 stores those outside the object header, which has
// space for 64 KiB only.
static Handle text_type (const std::string &failed)
{
  Handle type (H5Tcopy (H5T_C_S1), H5Tclose, failed);
  check (H5Tset_size (type, H5T_VARIABLE), failed);
  check (H5Tset_cset (type, H5T_CSET_UTF8), failed);
  return type;
}

// The dataspace of `values` values; a scalar for one value.
static Handle space_of (size_t values, const std::string &failed)
{
  const hsize_t extent = values;
  return {values == 1 ? H5Screate (H5S_SCALAR) : H5Screate_simple (1, &extent, nullptr), H5Sclose, failed};
}

Handle NewObjects::group (const char *path) const
{
  return {H5Gcreate2 (file, path, H5P_DEFAULT, untimed (H5P_GROUP_CREATE, failed), H5P_DEFAULT), H5Gclose, failed};
}

Handle NewObjects::dataset (const char *path, hid_t type, size_t n, const void *values) const
{
  const Handle links (H5Pcreate (H5P_LINK_CREATE), H5Pclose, failed);
  check (H5Pset_create_intermediate_group (links, 1), failed);
  Handle made (
      H5Dcreate2 (file, path, type, space_of (n, failed), links, untimed (H5P_DATASET_CREATE, failed), H5P_DEFAULT),
      H5Dclose, failed);
  check (H5Dwrite (made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), failed);
  return made;
}

void NewObjects::text (const char *path, const std::string &value) const
{
  const char *words = value.c_str ();
  dataset (path, text_type (failed), 1, &words);
}

void NewObjects::numbers (const char *path, const std::vector<double> &values, const char *units) const
{
  const auto made = dataset (path, H5T_NATIVE_DOUBLE, values.size (), values.data ());
  if (units)
    attribute (made, "units", {units});
}

void NewObjects::attribute (hid_t object, const char *name, const std::vector<const char *> &words) const
{
  const auto type = text_type (failed), space = space_of (words.size (), failed);
  const Handle made (H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
  check (H5Awrite (made, type, words.data ()), failed);
}

void NewObjects::number_attribute (hid_t object, const char *name, const std::vector<double> &values) const
{
  const auto space = space_of (values.size (), failed);
  const Handle made (H5Acreate2 (object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, failed);
  check (H5Awrite (made, H5T_NATIVE_DOUBLE, values.data ()), failed);
}

} // namespace sino::files
