// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/objects.hpp"
#include "base/error.hpp"
#include "tasks/hdf5/limits.hpp"
#include "tasks/hdf5/sources.hpp"
#include <algorithm>

namespace sino::hdf5 {

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
    const bool linked = H5Lexists (file, part.c_str (), H5P_DEFAULT) > 0;
    const bool leads = linked && H5Oexists_by_name (file, part.c_str (), H5P_DEFAULT) > 0;
    H5Eclear2 (H5E_DEFAULT);
    if (linked && !leads)
      fail_link (file, part);
    if (!leads || slash == path.npos)
      return leads;
  }
}

static herr_t list_one (hid_t object, const char *name, const H5O_info_t *info, void *to)
{
  if (info->type != H5O_TYPE_DATASET)
    return 0;
  const hid_t dataset = H5Dopen2 (object, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space (dataset), type = H5Dget_type (dataset);
  hsize_t extent[H5S_MAX_RANK] = {};
  const auto axes = H5Sget_simple_extent_dims (space, extent, nullptr);
  const auto kind = H5Tget_class (type);
  if (axes >= 2 && (kind == H5T_INTEGER || kind == H5T_FLOAT)) {
    auto &parcel = *static_cast<Parcel *> (to);
    parcel.put (std::string ("/") + name);
    parcel.put (std::vector<uint64_t> (extent, extent + axes));
  }
  H5Tclose (type);
  H5Sclose (space);
  H5Dclose (dataset);
  return 0;
}

void list (hid_t file, Parcel &to)
{
  check (H5Ovisit (file, H5_INDEX_NAME, H5_ITER_INC, list_one, &to), "cannot read '" + file_path (file) + "'");
}

static uint64_t count (const Handle &space)
{
  return static_cast<uint64_t> (std::max<hssize_t> (H5Sget_simple_extent_npoints (space), 0));
}

uint64_t count_numbers (hid_t file, const std::string &path)
{
  if (!exists (file, path))
    return 0;
  const auto failed = "cannot read '" + file_path (file) + "' " + path;
  const Handle dataset (H5Dopen2 (file, path.c_str (), H5P_DEFAULT), H5Dclose, failed);
  return count (Handle (H5Dget_space (dataset), H5Sclose, failed));
}

std::vector<double> read_numbers (hid_t file, const std::string &path, uint64_t wanted)
{
  if (wanted == 0 || count_numbers (file, path) != wanted)
    return {};
  std::vector<double> values (wanted);
  const auto failed = "cannot read '" + file_path (file) + "' " + path;
  const Handle dataset (H5Dopen2 (file, path.c_str (), H5P_DEFAULT), H5Dclose, failed);
  const auto sources = find_sources (dataset).list;
  const auto room = 4 * sizeof (double) * wanted + sources.size () * source_bytes;
  allow (room, read_seconds (room));
  for (const auto &source : sources)
    if (!source.fault.empty ())
      fail (SINO_ERROR_BAD_FILE, "'%s' %s: %s", file_path (file).c_str (), path.c_str (), source.fault.c_str ());
  check (H5Dread (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
  return values;
}

// An attribute whose values there is room for, or none.
static Handle open_attribute (hid_t object, const std::string &name, const std::string &title, Parcel &to)
{
  if (H5Aexists (object, name.c_str ()) <= 0) {
    to.put (undefined);
    return {};
  }
  Handle attribute (H5Aopen (object, name.c_str (), H5P_DEFAULT), H5Aclose, title);
  const auto n = count (Handle (H5Aget_space (attribute), H5Sclose, title));
  to.put (n);
  return n == 1 ? std::move (attribute) : Handle ();
}

void number_attribute (hid_t file, const std::string &path, const std::string &name, Parcel &to)
{
  const auto failed = "cannot read the attribute '" + name + "' of '" + file_path (file) + "' " + path;
  const Handle object (H5Oopen (file, path.c_str (), H5P_DEFAULT), H5Oclose, failed);
  const auto attribute = open_attribute (object, name, failed, to);
  double value = 0;
  if (attribute >= 0)
    check (H5Aread (attribute, H5T_NATIVE_DOUBLE, &value), failed);
  to.put (value);
}

static std::string read_text (const Handle &attribute, const std::string &failed)
{
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

void text_attribute (hid_t file, const std::string &path, const std::string &name, Parcel &to)
{
  const auto failed = "cannot read the attribute '" + name + "' of '" + file_path (file) + "' " + path;
  const Handle object (H5Oopen (file, path.c_str (), H5P_DEFAULT), H5Oclose, failed);
  const auto attribute = open_attribute (object, name, failed, to);
  to.put (attribute >= 0 ? read_text (attribute, failed) : std::string ());
}

} // namespace sino::hdf5
