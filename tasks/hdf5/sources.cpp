// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/sources.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/hdf5/opening.hpp"
#include "tasks/hdf5/other-files.hpp"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <sys/stat.h>

namespace sino::hdf5 {

namespace {

constexpr hsize_t longest_gap = 100;     // longest run of missing sources in a series
constexpr size_t most_sources = 1 << 20; // largest number of sources of a dataset
constexpr size_t most_seen = 32 << 20;   // bytes of information on visited sources
constexpr int most_virtual = 8;          // depth of nested virtual datasets

// Path of a raw file, which is searched in one folder only: see H5Pset_efile_prefix ().
std::string raw_path (const std::string &name, const std::string &home)
{
  const char *prefix = std::getenv ("HDF5_EXTFILE_PREFIX");
  std::string folder = prefix ? prefix : "";
  if (name.starts_with ('/') || folder.empty () || folder == ".")
    return name;
  if (folder.starts_with ("${ORIGIN}"))
    folder = folder_of_file (home) + folder.substr (9);
  return join_path (folder, name);
}

// The name of a source in a series: replaces %b by the number, and %% by %.
std::string numbered (const std::string &name, hsize_t number)
{
  std::string result;
  for (size_t i = 0; i < name.size (); i++)
    if (name[i] == '%' && i + 1 < name.size () && (name[i + 1] == 'b' || name[i + 1] == '%'))
      result += name[++i] == 'b' ? std::to_string (number) : "%";
    else
      result += name[i];
  return result;
}

bool is_series (const std::string &name)
{
  for (size_t i = 0; i + 1 < name.size (); i++)
    if (name[i] == '%' && name[++i] == 'b')
      return true;
  return false;
}

// Number of parts of an unlimited selection (sources of a series) that fit into the extents of the dataset; at least
// one, so that a missing source is reported even if the dataset is empty.
hsize_t length (hid_t selection, const std::vector<hsize_t> &extent)
{
  if (const auto slab = hyperslab_of (selection))
    for (size_t i = 0; i < std::min (extent.size (), slab->start.size ()); i++)
      if (slab->count[i] == H5S_UNLIMITED && slab->stride[i] > 0 && extent[i] > slab->start[i])
        return divide_up (extent[i] - slab->start[i], slab->stride[i]);
  return 1;
}

// Parts k to k + parts - 1 of an unlimited selection; all of a limited one.
Handle parts_of (hid_t selection, hsize_t k, hsize_t parts)
{
  Handle space (H5Scopy (selection), H5Sclose, "HDF5");
  auto slab = hyperslab_of (space);
  if (!slab)
    return space;
  auto &[start, stride, count, block] = *slab;
  const auto endless = static_cast<size_t> (std::ranges::find (count, H5S_UNLIMITED) - count.begin ());
  if (endless == count.size ())
    return space;
  start[endless] += k * stride[endless];
  count[endless] = parts;
  check (H5Sselect_hyperslab (space, H5S_SELECT_SET, start.data (), stride.data (), count.data (), block.data ()),
         "HDF5");
  return space;
}

// Whether a mapping takes the whole source for the images i, i + n ... of a virtual dataset.
bool is_turn (const Mapping &mapping, const std::vector<hsize_t> &source, size_t i, size_t n,
              const std::vector<hsize_t> &extent)
{
  const auto &[from, into, whole] = mapping;
  return whole && i < extent[0] && source[1] == extent[1] && source[2] == extent[2] && from[0].start == 0 &&
         from[0].stride == from[0].block && from[0].n == source[0] && into.start == i && into.block == 1 &&
         (into.stride == n || into.n == 1) && into.n == divide_up (extent[0] - i, n);
}

// Finds the contiguous pixels of a source in its file; false if it has none, or values of another type than `whole`.
bool find_pixels (hid_t dataset, hid_t whole, PixelSource &source)
{
  const Handle creation (H5Dget_create_plist (dataset), H5Pclose, "HDF5"),
      own (H5Dget_type (dataset), H5Tclose, "HDF5"), type (H5Dget_type (whole), H5Tclose, "HDF5");
  struct stat status {
  };
  if (H5Pget_layout (creation) != H5D_CONTIGUOUS || H5Pget_external_count (creation) > 0 || H5Tequal (own, type) <= 0 ||
      stat (source.path.c_str (), &status) != 0)
    return false;
  source.bytes = H5Dget_storage_size (dataset);
  source.offset = source.bytes > 0 ? H5Dget_offset (dataset) : undefined;
  source.size = static_cast<uint64_t> (status.st_size);
  H5Eclear2 (H5E_DEFAULT);
  return source.offset != undefined;
}

class Finder
{
public:
  Sources found;

  // Returns the pages of a virtual dataset that have no source, or whose source was not written.
  PageRuns look (hid_t dataset, int depth)
  {
    const auto home = file_path (dataset);
    const Handle creation (H5Dget_create_plist (dataset), H5Pclose, in_quotes (home));
    if (const auto why = is_growing () ? why_unknown (dataset) : ""; !why.empty ())
      note (dataset, why);
    switch (H5Pget_layout (creation)) {
    case H5D_VIRTUAL:
      if (depth == most_virtual)
        fail (SINO_ERROR_BAD_FILE, "'%s' consists of virtual datasets in more than %d levels", home.c_str (),
              most_virtual);
      return look_virtual (dataset, creation, home, depth);
    case H5D_CHUNKED: {
      hsize_t chunk[H5S_MAX_RANK] = {};
      const Handle type (H5Dget_type (dataset), H5Tclose, in_quotes (home));
      uint64_t bytes = H5Tget_size (type);
      for (int i = 0, n = H5Pget_chunk (creation, H5S_MAX_RANK, chunk); i < n; i++)
        bytes *= chunk[i];
      found.unit = std::max (found.unit, bytes);
      break;
    }
    default:
      look_raw (dataset, creation, home);
    }
    return PageRuns ();
  }

private:
  std::string open_path; // consecutive sources are often in the same file
  Handle open_file;
  std::map<std::string, Written> seen; // a source with many parts is examined once
  size_t seen_bytes = 0;
  size_t turns = 0; // mappings of the dataset itself that are turns: Description::in_turn

  void note (hid_t dataset, const std::string &why)
  {
    if (found.unknown.empty ())
      found.unknown = in_quotes (file_path (dataset)) + ' ' + why;
  }

  PixelSource &add (PixelSource source)
  {
    if (found.list.size () == most_sources)
      fail (SINO_ERROR_BAD_FILE, "a dataset consists of more than %zu parts", most_sources);
    return found.list.emplace_back (std::move (source));
  }

  PageRuns look_virtual (hid_t dataset, hid_t creation, const std::string &home, int depth)
  {
    size_t n = 0;
    check (H5Pget_virtual_count (creation, &n), in_quotes (home));
    const Handle space (H5Dget_space (dataset), H5Sclose, in_quotes (home));
    const auto extent = extents (space);
    Cover cover;
    PageRuns bare;
    for (size_t i = 0; i < n; i++) {
      const auto file = name (H5Pget_virtual_filename, creation, i),
                 inner = name (H5Pget_virtual_dsetname, creation, i);
      const Handle into (H5Pget_virtual_vspace (creation, i), H5Sclose, in_quotes (home)),
          from (H5Pget_virtual_srcspace (creation, i), H5Sclose, in_quotes (home));
      const auto parts = length (into, extent);
      const bool series = is_series (file) || is_series (inner);
      for (hsize_t k = 0; k < (series ? parts : 1); k++) {
        const auto at = found.list.size ();
        Handle place = parts_of (into, k, series ? 1 : parts);
        const auto runs =
            look_source (numbered (file, k), numbered (inner, k), dataset, from, into, place, extent, depth, {i, n});
        bare.insert (bare.end (), runs.begin (), runs.end ());
        if (is_growing () && !found.list[at].fault.empty ()) // it may still come
          bare.push_back (pages_of (place));
        cover.add (pages_of (place), static_cast<int64_t> (found.list.size () - at));
        if (depth == 0 && !found.list[at].fault.empty ())
          found.gaps.push_back (std::move (place));
      }
    }
    if (depth == 0)
      found.most = cover.most ();
    if (depth == 0)
      found.in_turn = n > 0 && turns == n && found.list.size () == n;
    if (extent.size () == 3) {
      const auto runs = cover.free (extent[0]);
      bare.insert (bare.end (), runs.begin (), runs.end ());
    }
    return bare;
  }

  static std::string name (ssize_t (*get) (hid_t, size_t, char *, size_t), hid_t creation, size_t i)
  {
    const auto n = get (creation, i, nullptr, 0);
    check (n < 0 ? -1 : 0, "HDF5");
    std::string result (static_cast<size_t> (n), '\0');
    check (get (creation, i, result.data (), result.size () + 1) < 0 ? -1 : 0, "HDF5");
    return result;
  }

  struct Turn {
    size_t i, n;
  };

  // `whole`: the dataset that takes its pixels. `turn`: number of the mapping, and of all.
  PageRuns look_source (const std::string &file, const std::string &inner, hid_t whole, hid_t from, hid_t into,
                        hid_t place, const std::vector<hsize_t> &extent, int depth, Turn turn)
  {
    const auto at = found.list.size ();
    add ({.file = file, .dataset = inner, .path = find_file (file, file_path (whole), "HDF5_VDS_PREFIX")});
    const auto fault = [&] (const std::string &what) {
      found.list[at].fault = shown (inner) + " in " + in_quotes (file) + ' ' + what;
      return PageRuns ();
    };
    const auto path = found.list[at].path;
    check_within (path);
    if (path.empty ())
      return fault ("is missing: there is no such file");
    try {
      if (open_path != path) {
        open_path.clear ();
        open_file = open_source (path, whole, "the file cannot be opened");
        open_path = path;
      }
      const Handle dataset (H5Dopen2 (open_file, inner.c_str (), dataset_access ()), H5Dclose, "no such dataset");
      found.list[at].path = file_path (dataset);
      if (!reaches (dataset, from, into))
        fault ("is smaller than the part that is used");
      const auto inner_bare = look (dataset, depth + 1);
      const auto mapping = mapping_of (from, extents_of (dataset), place, extent);
      auto &source = found.list[at];
      if (depth == 0 && mapping && source.fault.empty () &&
          is_turn (*mapping, extents_of (dataset), turn.i, turn.n, extent) && find_pixels (dataset, whole, source))
        turns++;
      if (!mapping && is_growing ())
        note (dataset, "is not taken image by image");
      if (!mapping)
        return PageRuns ();
      auto bare = written (dataset, path + '\n' + inner).bare (*mapping);
      const auto carry = carried (inner_bare, *mapping);
      bare.insert (bare.end (), carry.begin (), carry.end ());
      return bare;
    } catch (const Outside &) {
      throw;
    } catch (const Error &e) {
      if (const auto refusal = take_refusal (); !refusal.empty ())
        throw Outside (e.code, refusal);
      H5Eclear2 (H5E_DEFAULT);
      return fault (std::string ("is missing or cannot be opened: ") + e.what ());
    }
  }

  const Written &written (hid_t dataset, const std::string &called)
  {
    if (const auto known = seen.find (called); known != seen.end ())
      return known->second;
    Written now (dataset);
    seen_bytes += now.bytes () + called.size ();
    if (seen_bytes > most_seen) {
      seen.clear ();
      seen_bytes = now.bytes () + called.size ();
    }
    return seen.emplace (called, std::move (now)).first->second;
  }

  // Whether a source has all pixels that are taken from it; true if their number is unlimited.
  static bool reaches (hid_t dataset, hid_t from, hid_t into)
  {
    const Handle space (H5Dget_space (dataset), H5Sclose, "HDF5");
    const auto extent = extents (space);
    if (H5Sget_select_type (from) == H5S_SEL_ALL)
      return H5Sget_simple_extent_npoints (space) >= H5Sget_select_npoints (into);
    if (H5Sget_simple_extent_ndims (from) != static_cast<int> (extent.size ()))
      return false;
    std::vector<hsize_t> low (extent.size ()), high (extent.size ());
    if (H5Sget_select_bounds (from, low.data (), high.data ()) < 0)
      return true;
    for (size_t i = 0; i < extent.size (); i++)
      if (high[i] != H5S_UNLIMITED && high[i] >= extent[i])
        return false;
    return true;
  }

  void look_raw (hid_t dataset, hid_t creation, const std::string &home)
  {
    const auto n = H5Pget_external_count (creation);
    const Handle space (H5Dget_space (dataset), H5Sclose, in_quotes (home)),
        type (H5Dget_type (dataset), H5Tclose, in_quotes (home));
    uint64_t left = H5Tget_size (type) * static_cast<uint64_t> (H5Sget_simple_extent_npoints (space));
    for (int i = 0; i < n; i++) {
      std::string name (4096, '\0');
      off_t offset = 0;
      hsize_t size = 0;
      check (H5Pget_external (creation, static_cast<unsigned> (i), name.size () - 1, name.data (), &offset, &size),
             "HDF5");
      name.resize (name.find ('\0'));
      auto &source = add ({.file = name, .path = raw_path (name, home)});
      source.offset = static_cast<uint64_t> (offset);
      source.bytes = std::min<uint64_t> (size, left);
      left -= source.bytes;
      check_within (source.path);
      struct stat status {
      };
      if (stat (source.path.c_str (), &status) != 0 || !S_ISREG (status.st_mode)) {
        source.fault = text ("the raw file '%s' is missing", source.path.c_str ());
        source.path.clear ();
        continue;
      }
      source.size = static_cast<uint64_t> (status.st_size);
      if (source.size < source.offset || source.size - source.offset < source.bytes)
        source.fault = text ("the raw file '%s' is too short: the pixels end at byte %" G_GUINT64_FORMAT
                             ", the file has %" G_GUINT64_FORMAT,
                             source.path.c_str (), source.offset + source.bytes, source.size);
    }
  }
};

} // namespace

Sources find_sources (hid_t dataset)
{
  Finder finder;
  finder.found.bare = finder.look (dataset, 0);
  return std::move (finder.found);
}

Handle dataset_access ()
{
  Handle list (H5Pcreate (H5P_DATASET_ACCESS), H5Pclose, "HDF5");
  check (H5Pset_virtual_printf_gap (list, longest_gap), "HDF5");
  return list;
}

} // namespace sino::hdf5
