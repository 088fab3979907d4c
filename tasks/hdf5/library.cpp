// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/library.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <iterator>

namespace sino::hdf5 {

std::unique_lock<std::recursive_mutex> lock ()
{
  static auto *mutex = new std::recursive_mutex; // never destroyed: HDF5 may be used until the process ends
  std::unique_lock guard (*mutex);
  [[maybe_unused]] static thread_local const herr_t silent = H5Eset_auto2 (H5E_DEFAULT, nullptr, nullptr);
  return guard;
}

// The innermost entry of the error stack has the most information.
static std::string last_message ()
{
  std::string message;
  const auto visit = [] (unsigned n, const H5E_error2_t *error, void *to) -> herr_t {
    if (n == 0 && error->desc)
      *static_cast<std::string *> (to) = error->desc;
    return 0;
  };
  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, visit, &message);
  H5Eclear2 (H5E_DEFAULT);
  return message.empty () ? "HDF5 gives no reason" : message;
}

void check (herr_t result, const std::string &what)
{
  if (result < 0)
    fail (SINO_ERROR_BAD_FILE, "%s: %s", what.c_str (), last_message ().c_str ());
}

Handle::Handle (hid_t given, Close c, const std::string &what) : id (given), close (c)
{
  if (given < 0)
    fail (SINO_ERROR_BAD_FILE, "%s: %s", what.c_str (), last_message ().c_str ());
}

Handle::~Handle ()
{
  if (id < 0)
    return;
  const auto guard = lock ();
  close (id);
}

Handle access_list (size_t metadata)
{
  Handle list (H5Pcreate (H5P_FILE_ACCESS), H5Pclose, "HDF5");
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check (H5Pget_mdc_config (list, &cache), "HDF5");
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = metadata / 2;
  cache.max_size = metadata; // the default may grow to 32 MiB
  check (H5Pset_mdc_config (list, &cache), "HDF5");
  check (H5Pset_file_locking (list, true, true), "HDF5"); // file systems without locks are used without
  return list;
}

Handle memory_type (formats::Sample sample)
{
  const hid_t types[] = {H5T_NATIVE_UINT8,  H5T_NATIVE_UINT16, H5T_NATIVE_FLOAT,  H5T_NATIVE_FLOAT,
                         H5T_NATIVE_INT8,   H5T_NATIVE_INT16,  H5T_NATIVE_UINT32, H5T_NATIVE_INT32,
                         H5T_NATIVE_UINT64, H5T_NATIVE_INT64,  H5T_NATIVE_DOUBLE};
  Handle type (H5Tcopy (types[static_cast<size_t> (sample)]), H5Tclose, "HDF5");
  if (sample == formats::Sample::f16) { // IEEE half: sign 15, exponent 10..14 with bias 15, mantissa 0..9
    check (H5Tset_fields (type, 15, 10, 5, 0, 10), "HDF5");
    check (H5Tset_size (type, 2), "HDF5");
    check (H5Tset_ebias (type, 15), "HDF5");
  }
  return type;
}

std::vector<Filter> filters_of (hid_t creation)
{
  std::vector<Filter> filters;
  for (int i = 0; i < H5Pget_nfilters (creation); i++) {
    char name[80] = {};
    unsigned flags = 0, config = 0, values[32] = {};
    size_t n = std::size (values);
    const auto id =
        H5Pget_filter2 (creation, static_cast<unsigned> (i), &flags, &n, values, sizeof name - 1, name, &config);
    filters.push_back ({id, false, name, {values, values + std::min (n, std::size (values))}});
  }
  return filters;
}

} // namespace sino::hdf5
