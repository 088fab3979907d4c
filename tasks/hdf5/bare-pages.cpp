// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/bare-pages.hpp"
#include "base/divide-up.hpp"
#include "tasks/hdf5/places.hpp"
#include <algorithm>

namespace sino::hdf5 {

namespace {

constexpr uint64_t most_pages = uint64_t{1} << 24, most_chunks = uint64_t{1} << 28, endless = ~uint64_t{0};

template <class Is> PageRuns runs_of (const Comb &from, const Comb &into, Is is_bare)
{
  PageRuns runs;
  for (uint64_t i = 0; i < std::min (into.n, most_pages); i++)
    if (is_bare (from.at (i))) {
      const auto page = into.at (i);
      if (!runs.empty () && runs.back ().end == page)
        runs.back ().end++;
      else
        runs.push_back ({page, page + 1});
    }
  return runs;
}

} // namespace

Written::Written (hid_t dataset)
{
  const auto extent = extents_of (dataset);
  if (extent.size () != 3)
    return;
  const Handle creation (H5Dget_create_plist (dataset), H5Pclose, "HDF5");
  const auto layout = H5Pget_layout (creation);
  if (layout == H5D_CHUNKED)
    find (dataset, creation, extent);
  else
    nothing = layout == H5D_CONTIGUOUS && H5Pget_external_count (creation) == 0 && H5Dget_storage_size (dataset) == 0;
}

void Written::find (hid_t dataset, hid_t creation, const std::vector<hsize_t> &extent)
{
  hsize_t sizes[3] = {1, 1, 1};
  check (H5Pget_chunk (creation, 3, sizes), "HDF5");
  uint64_t all = 1;
  for (size_t i = 0; i < 3; i++) {
    chunk[i] = sizes[i];
    along[i] = divide_up (extent[i], chunk[i]);
    if (along[i] == 0 || along[i] > most_chunks / all)
      return;
    all *= along[i];
  }
  if (!chunks_are_placed (dataset))
    return;
  const Handle space (H5Dget_space (dataset), H5Sclose, "HDF5");
  hsize_t written = 0;
  check (H5Dget_num_chunks (dataset, space, &written), "HDF5");
  if (written >= all)
    return;
  chunks.resize (all);
  find_places (dataset, [&] (const ChunkPlace &place) {
    std::array<uint64_t, 3> at{};
    for (size_t i = 0; i < 3; i++)
      if (at[i] = place.corner[i] / chunk[i]; at[i] >= along[i])
        return;
    chunks[(at[0] * along[1] + at[1]) * along[2] + at[2]] = true;
  });
}

PageRuns Written::bare (const Mapping &mapping) const
{
  if (all ())
    return {};
  if (nothing)
    return runs_of (mapping.from[0], mapping.into, [] (uint64_t) { return true; });
  std::vector<uint64_t> used; // written chunks per layer
  for (uint64_t row = 0; row < along[1]; row++)
    if (mapping.from[1].touches (row * chunk[1], (row + 1) * chunk[1]))
      for (uint64_t column = 0; column < along[2]; column++)
        if (mapping.from[2].touches (column * chunk[2], (column + 1) * chunk[2]))
          used.push_back (row * along[2] + column);
  uint64_t known = endless;
  bool bare = false;
  return runs_of (mapping.from[0], mapping.into, [&] (uint64_t page) {
    if (const auto layer = page / chunk[0]; layer != known) {
      known = layer;
      bare = layer < along[0] &&
             std::ranges::any_of (used, [&] (uint64_t place) { return !chunks[layer * along[1] * along[2] + place]; });
    }
    return bare;
  });
}

std::vector<hsize_t> extents (hid_t space)
{
  std::vector<hsize_t> list (static_cast<size_t> (std::max (H5Sget_simple_extent_ndims (space), 0)));
  H5Sget_simple_extent_dims (space, list.data (), nullptr);
  return list;
}

std::vector<hsize_t> extents_of (hid_t dataset)
{
  return extents (Handle (H5Dget_space (dataset), H5Sclose, "HDF5"));
}

bool chunks_are_placed (hid_t dataset)
{
  const Handle space (H5Dget_space (dataset), H5Sclose, "HDF5");
  std::vector<hsize_t> most (static_cast<size_t> (std::max (H5Sget_simple_extent_ndims (space), 1)));
  H5Sget_simple_extent_dims (space, nullptr, most.data ());
  H5D_chunk_index_t index{};
  check (H5Dget_chunk_index_type (dataset, &index), "HDF5");
  return index != H5D_CHUNK_IDX_EARRAY || most[0] == H5S_UNLIMITED;
}

std::string why_unknown (hid_t dataset)
{
  const Handle creation (H5Dget_create_plist (dataset), H5Pclose, "HDF5");
  const auto layout = H5Pget_layout (creation);
  if (layout == H5D_VIRTUAL)
    return {};
  if (layout != H5D_CHUNKED)
    return "has its pixels in one piece";
  hsize_t chunk[H5S_MAX_RANK] = {};
  H5D_alloc_time_t allocated{};
  const auto axes = H5Pget_chunk (creation, H5S_MAX_RANK, chunk);
  check (H5Pget_alloc_time (creation, &allocated), "HDF5");
  if (!chunks_are_placed (dataset))
    return "has an index of chunks that HDF5 cannot report";
  if (allocated == H5D_ALLOC_TIME_EARLY)
    return "has room for its chunks before they are written";
  return axes == 3 && chunk[0] > 1 ? "has chunks with several projections" : "";
}

Pages pages_of (hid_t selection)
{
  hsize_t low[H5S_MAX_RANK] = {}, high[H5S_MAX_RANK] = {};
  const bool known = H5Sget_simple_extent_ndims (selection) == 3 && H5Sget_select_bounds (selection, low, high) >= 0;
  H5Eclear2 (H5E_DEFAULT);
  return {known ? low[0] : 0, known && high[0] < endless - 1 ? high[0] + 1 : endless};
}

PageRuns carried (PageRuns pages, const Mapping &mapping)
{
  if (pages.empty () || !mapping.whole)
    return {};
  std::ranges::sort (pages, {}, &Pages::begin);
  for (size_t i = 1; i < pages.size (); i++) // `end` of the last one may be below that of an earlier one
    pages[i].end = std::max (pages[i].end, pages[i - 1].end);
  return runs_of (mapping.from[0], mapping.into, [&] (uint64_t page) {
    const auto next = std::ranges::upper_bound (pages, page, {}, &Pages::begin);
    return next != pages.begin () && page < std::prev (next)->end;
  });
}

void Cover::add (const Pages &pages, int64_t sources)
{
  change[pages.begin] += sources;
  change[pages.end] -= sources;
}

uint64_t Cover::most () const
{
  int64_t now = 0, most = 0;
  for (const auto &[page, more] : change)
    most = std::max (most, now += more);
  return static_cast<uint64_t> (most);
}

PageRuns Cover::free (uint64_t pages) const
{
  PageRuns runs;
  uint64_t covered = 0; // end of the pages handled so far
  int64_t now = 0;
  for (const auto &[page, more] : change) {
    if (now == 0 && covered < std::min (page, pages))
      runs.push_back ({covered, std::min (page, pages)});
    now += more;
    covered = page;
  }
  if (covered < pages)
    runs.push_back ({covered, pages});
  return runs;
}

} // namespace sino::hdf5
