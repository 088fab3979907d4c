// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/objects.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/hdf5/limits.hpp"
#include "tasks/hdf5/other-files.hpp"
#include "tasks/hdf5/sources.hpp"
#include <algorithm>
#include <set>

namespace sino::hdf5 {

std::string title_of (hid_t file, const std::string &path)
{
  return in_quotes (file_path (file)) + ' ' + shown (path);
}

// Throws with the target of a broken link.
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

namespace {

constexpr size_t most_objects = 1 << 20; // most objects that are visited
constexpr int deepest = 32;              // depth of nested groups

// Visits all objects that links of groups lead to, in this file and others.
class Walk
{
public:
  Walk (uint64_t l, uint64_t m, Parcel &p) : least (l), most (m), to (p) {}

  void group (hid_t place, const std::string &path, int depth)
  {
    std::vector<Link> links;
    const auto collect = [] (hid_t, const char *name, const H5L_info_t *info, void *list) -> herr_t {
      static_cast<std::vector<Link> *> (list)->push_back ({info->type != H5L_TYPE_HARD, name});
      return 0;
    };
    check (H5Literate (place, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &links),
           "cannot read " + title_of (place, path));
    // A group's own members are visited before soft and external links, so that objects get their own names.
    std::ranges::stable_sort (links, [] (auto &a, auto &b) { return a.soft < b.soft; });
    for (const auto &link : links)
      if (seen++ < most_objects)
        object (place, path, link.name, depth);
  }

private:
  struct Link {
    bool soft; // a soft link or an external link
    std::string name;
  };

  const uint64_t least, most; // limits for axes of datasets
  Parcel &to;
  std::set<std::pair<uint64_t, uint64_t>> groups; // visited groups: links may be circular
  size_t seen = 0;

  void object (hid_t place, const std::string &path, const std::string &name, int depth)
  {
    const auto here = path + "/" + name;
    H5O_info_t info{};
    if (H5Oget_info_by_name2 (place, name.c_str (), &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0) {
      H5Eclear2 (H5E_DEFAULT);
      to.put (Listed{here, {}});
    } else if (info.type == H5O_TYPE_DATASET)
      dataset (place, name, here, info);
    else if (info.type == H5O_TYPE_GROUP && depth < deepest && groups.insert ({info.fileno, info.addr}).second) {
      const Handle inner (H5Gopen2 (place, name.c_str (), H5P_DEFAULT), H5Gclose, "cannot open " + in_quotes (here));
      group (inner, here, depth + 1);
    }
  }

  // Adds a dataset of numbers if its number of axes is within the limits.
  void dataset (hid_t place, const std::string &name, const std::string &here, const H5O_info_t &info)
  {
    const hid_t dataset = H5Dopen2 (place, name.c_str (), H5P_DEFAULT);
    const hid_t space = H5Dget_space (dataset), type = H5Dget_type (dataset);
    hsize_t extent[H5S_MAX_RANK] = {};
    const auto axes = H5Sget_simple_extent_dims (space, extent, nullptr);
    const auto kind = H5Tget_class (type);
    if (axes > 0 && static_cast<uint64_t> (axes) >= least && static_cast<uint64_t> (axes) <= most &&
        (kind == H5T_INTEGER || kind == H5T_FLOAT))
      to.put (Listed{here, {extent, extent + axes}, {info.fileno, info.addr}});
    H5Tclose (type);
    H5Sclose (space);
    H5Dclose (dataset);
    H5Eclear2 (H5E_DEFAULT);
  }
};

} // namespace

void list (hid_t file, uint64_t least, uint64_t most, Parcel &to)
{
  const Handle root (H5Gopen2 (file, "/", H5P_DEFAULT), H5Gclose, "cannot read " + in_quotes (file_path (file)));
  Walk (least, most, to).group (root, "", 0);
}

static uint64_t count (const Handle &space)
{
  return static_cast<uint64_t> (std::max<hssize_t> (H5Sget_simple_extent_npoints (space), 0));
}

Handle require_dataset (hid_t file, const std::string &path)
{
  const auto title = title_of (file, path);
  Handle object (H5Oopen (file, path.c_str (), H5P_DEFAULT), H5Oclose, "cannot open " + title);
  if (H5Iget_type (object) != H5I_DATASET)
    fail (SINO_ERROR_BAD_FILE, "%s is %s and not a dataset: name a dataset in it", title.c_str (),
          H5Iget_type (object) == H5I_GROUP ? "a group" : "a type");
  return object;
}

uint64_t count_numbers (hid_t file, const std::string &path)
{
  if (!exists (file, path))
    return 0;
  const auto dataset = require_dataset (file, path);
  return count (Handle (H5Dget_space (dataset), H5Sclose, "cannot read " + title_of (file, path)));
}

std::vector<double> read_numbers (hid_t file, const std::string &path, uint64_t wanted)
{
  if (wanted == 0 || count_numbers (file, path) != wanted)
    return {};
  std::vector<double> values (wanted);
  const auto failed = "cannot read " + title_of (file, path);
  const auto dataset = require_dataset (file, path);
  const Handle type (H5Dget_type (dataset), H5Tclose, failed);
  if (const auto kind = H5Tget_class (type); kind != H5T_INTEGER && kind != H5T_FLOAT)
    fail (SINO_ERROR_BAD_FILE, "'%s' %s contains %s: it must contain numbers", file_path (file).c_str (), path.c_str (),
          kind == H5T_STRING ? "words" : "values that are not numbers");
  const auto sources = find_sources (dataset).list;
  const auto room = 4 * sizeof (double) * wanted + sources.size () * source_bytes;
  allow (room, read_seconds (room));
  for (const auto &source : sources)
    if (!source.fault.empty ())
      fail (SINO_ERROR_BAD_FILE, "'%s' %s: %s", file_path (file).c_str (), path.c_str (), source.fault.c_str ());
  check (H5Dread (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data ()), failed);
  return values;
}

static std::string read_text (const Handle &attribute, const std::string &failed)
{
  const Handle stored (H5Aget_type (attribute), H5Tclose, failed);
  if (H5Tget_class (stored) != H5T_STRING)
    return {};
  const Handle type (H5Tcopy (stored), H5Tclose, failed); // a copy, which keeps the character set of the file
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

void attribute (hid_t file, const std::string &path, const std::string &name, bool is_text, Parcel &to)
{
  const auto failed = "cannot read the attribute " + in_quotes (name) + " of " + title_of (file, path);
  const Handle object (H5Oopen (file, path.c_str (), H5P_DEFAULT), H5Oclose, failed);
  Handle found;
  uint64_t n = undefined;
  if (H5Aexists (object, name.c_str ()) > 0) {
    found = {H5Aopen (object, name.c_str (), H5P_DEFAULT), H5Aclose, failed};
    n = count (Handle (H5Aget_space (found), H5Sclose, failed));
  }
  to.put (n);
  if (is_text)
    return to.put (n == 1 ? read_text (found, failed) : std::string ());
  double value = 0;
  if (n == 1)
    check (H5Aread (found, H5T_NATIVE_DOUBLE, &value), failed);
  to.put (value);
}

} // namespace sino::hdf5
