// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/hdf5.hpp"
#include "base/error.hpp"
#include "files/descriptor.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files::hdf5 {

std::unique_lock<std::recursive_mutex> lock ()
{
  static auto *mutex = new std::recursive_mutex; // HDF5 may be needed until the process has ended
  std::unique_lock guard (*mutex);
  [[maybe_unused]] static thread_local const herr_t silent = H5Eset_auto2 (H5E_DEFAULT, nullptr, nullptr);
  return guard;
}

// The place where the library first noticed the failure says most.
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

Handle access_list ()
{
  Handle list (H5Pcreate (H5P_FILE_ACCESS), H5Pclose, "HDF5");
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check (H5Pget_mdc_config (list, &cache), "HDF5");
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = size_t{1} << 20;
  cache.max_size = size_t{2} << 20; // of metadata; the default would grow to 32 MiB
  check (H5Pset_mdc_config (list, &cache), "HDF5");
  check (H5Pset_file_locking (list, true, true), "HDF5"); // file systems that cannot lock are used all the same
  return list;
}

// What the file begins with, for those who gave a name of another thing.
static std::string beginning (const Descriptor &file)
{
  const auto n = static_cast<size_t> (std::min<int64_t> (file.size (), 16));
  std::string start (n, '\0');
  file.read (start.data (), n, 0);
  for (auto &c : start)
    if (!g_ascii_isprint (c))
      c = '.';
  return n == 0 ? "is empty" : "begins with \"" + start + "\"";
}

Handle open_file (const std::string &path)
{
  const Descriptor file (path, O_RDONLY);
  const auto guard = lock ();
  const auto recognised = H5Fis_hdf5 (path.c_str ());
  if (recognised <= 0) {
    H5Eclear2 (H5E_DEFAULT);
    fail (SINO_ERROR_BAD_FILE, "'%s' is not an HDF5 file: it %s", path.c_str (), beginning (file).c_str ());
  }
  return Handle (H5Fopen (path.c_str (), H5F_ACC_RDONLY, access_list ()), H5Fclose,
                 text ("cannot open '%s' as HDF5, it may be truncated", path.c_str ()));
}

std::string file_path (hid_t object)
{
  const auto n = H5Fget_name (object, nullptr, 0);
  check (n < 0 ? -1 : 0, "HDF5");
  std::string path (static_cast<size_t> (n), '\0');
  check (H5Fget_name (object, path.data (), path.size () + 1) < 0 ? -1 : 0, "HDF5");
  return path;
}

Handle memory_type (Element element)
{
  const auto base = element == Element::u8    ? H5T_NATIVE_UINT8
                    : element == Element::u16 ? H5T_NATIVE_UINT16
                                              : H5T_NATIVE_FLOAT;
  Handle type (H5Tcopy (base), H5Tclose, "HDF5");
  if (element == Element::f16) { // IEEE half: sign 15, exponent 10..14 with bias 15, mantissa 0..9
    check (H5Tset_fields (type, 15, 10, 5, 0, 10), "HDF5");
    check (H5Tset_size (type, 2), "HDF5");
    check (H5Tset_ebias (type, 15), "HDF5");
  }
  return type;
}

static int64_t count (const Handle &space)
{
  return std::max<hssize_t> (H5Sget_simple_extent_npoints (space), 0);
}

int64_t count_numbers (hid_t file, const std::string &path)
{
  if (!exists (file, path))
    return 0;
  const auto failed = "cannot read '" + file_path (file) + "' " + path;
  const Handle dataset (H5Dopen2 (file, path.c_str (), H5P_DEFAULT), H5Dclose, failed);
  return count (Handle (H5Dget_space (dataset), H5Sclose, failed));
}

std::vector<double> read_numbers (hid_t file, const std::string &path)
{
  std::vector<double> values (static_cast<size_t> (count_numbers (file, path)));
  if (values.empty ())
    return values;
  const auto failed = "cannot read '" + file_path (file) + "' " + path;
  const Handle dataset (H5Dopen2 (file, path.c_str (), H5P_DEFAULT), H5Dclose, failed);
  check (H5Dread (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
  return values;
}

// What is read of an attribute has room for one value.
static Handle open_attribute (hid_t object, const char *name, const std::string &title)
{
  Handle attribute (H5Aopen (object, name, H5P_DEFAULT), H5Aclose, "HDF5");
  const auto n = count (Handle (H5Aget_space (attribute), H5Sclose, "HDF5"));
  if (n != 1)
    fail (SINO_ERROR_BAD_FILE, "the attribute '%s' of %s has %" G_GINT64_FORMAT " values: one is wanted", name,
          title.c_str (), n);
  return attribute;
}

std::optional<double> read_number_attribute (hid_t object, const char *name, const std::string &title)
{
  if (H5Aexists (object, name) <= 0)
    return {};
  const auto attribute = open_attribute (object, name, title);
  double value = 0;
  check (H5Aread (attribute, H5T_NATIVE_DOUBLE, &value), text ("cannot read the attribute '%s' of ", name) + title);
  return value;
}

std::string read_text_attribute (hid_t object, const char *name, const std::string &title)
{
  if (H5Aexists (object, name) <= 0)
    return {};
  const auto attribute = open_attribute (object, name, title);
  const auto failed = text ("cannot read the attribute '%s' of ", name) + title;
  const Handle stored (H5Aget_type (attribute), H5Tclose, failed);
  if (H5Tget_class (stored) != H5T_STRING)
    return {};
  const Handle type (H5Tcopy (stored), H5Tclose, failed); // its own character set
  if (H5Tis_variable_str (stored) > 0) {
    char *value = nullptr;
    check (H5Aread (attribute, type, &value), failed);
    std::string result = value ? value : "";
    H5free_memory (value);
    return result;
  }
  std::string value (H5Tget_size (stored) + 1, '\0');
  check (H5Aread (attribute, type, value.data ()), failed);
  return value.substr (0, value.find ('\0'));
}

// Says where a link that leads nowhere should have led.
[[noreturn]] static void fail_link (hid_t file, const std::string &path)
{
  H5L_info_t info;
  check (H5Lget_info (file, path.c_str (), &info, H5P_DEFAULT), "cannot open " + path);
  std::string value (info.type == H5L_TYPE_HARD ? 0 : info.u.val_size, '\0');
  check (H5Lget_val (file, path.c_str (), value.data (), value.size (), H5P_DEFAULT), "cannot open " + path);
  std::string target = value.substr (0, value.find ('\0'));
  if (const char *other = nullptr, *object = nullptr;
      info.type == H5L_TYPE_EXTERNAL &&
      H5Lunpack_elink_val (value.data (), value.size (), nullptr, &other, &object) >= 0)
    target = text ("%s in '%s'", object, other);
  fail (SINO_ERROR_BAD_FILE, "'%s' %s is a link to %s, which is missing or cannot be opened", file_path (file).c_str (),
        path.c_str (), target.c_str ());
}

bool exists (hid_t file, const std::string &path)
{
  for (size_t slash = path.find ('/', 1);; slash = path.find ('/', slash + 1)) {
    const auto part = path.substr (0, slash);
    const bool there = H5Lexists (file, part.c_str (), H5P_DEFAULT) > 0;
    const bool leads = there && H5Oexists_by_name (file, part.c_str (), H5P_DEFAULT) > 0;
    H5Eclear2 (H5E_DEFAULT);
    if (there && !leads)
      fail_link (file, part);
    if (!leads || slash == path.npos)
      return leads;
  }
}

} // namespace sino::files::hdf5
