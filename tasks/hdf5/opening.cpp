// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/opening.hpp"

namespace sino::hdf5 {

static bool growing = false;

void set_growing (bool may)
{
  growing = may;
}

bool is_growing ()
{
  return growing;
}

static Handle access_for (size_t metadata)
{
  auto access = access_list (metadata);
  if (growing)
    check (H5Pset_file_locking (access, false, true), "HDF5");
  return access;
}

Handle open_to_read (const std::string &path, const std::string &what, size_t metadata)
{
  const auto access = access_for (metadata);
  const auto open = [&] (unsigned flags) { return H5Fopen (path.c_str (), H5F_ACC_RDONLY | flags, access); };
  if (growing) {
    if (const auto file = open (0); file >= 0)
      return {file, H5Fclose, what};
    H5Eclear2 (H5E_DEFAULT);
    return {open (H5F_ACC_SWMR_READ), H5Fclose, what};
  }
  return {open (0), H5Fclose, what};
}

Handle open_source (const std::string &path, hid_t dataset, const std::string &what)
{
  const Handle file (H5Iget_file_id (dataset), H5Fclose, what);
  unsigned flags = 0;
  check (H5Fget_intent (file, &flags), what);
  return {H5Fopen (path.c_str (), flags, access_for (usual_metadata)), H5Fclose, what};
}

} // namespace sino::hdf5
