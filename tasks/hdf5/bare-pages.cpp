// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/bare-pages.hpp"
#include "tasks/hdf5/places.hpp"
#include <algorithm>

namespace sino::hdf5 {

namespace {

constexpr uint64_t most_layers = uint64_t{1} << 24, endless = ~uint64_t{0};

std::vector<hsize_t> extents_of (hid_t dataset)
{
  const Handle space (H5Dget_space (dataset), H5Sclose, "HDF5");
  std::vector<hsize_t> list (static_cast<size_t> (std::max (H5Sget_simple_extent_ndims (space), 0)));
  H5Sget_simple_extent_dims (space, list.data (), nullptr);
  return list;
}

PageRuns bare_chunks (hid_t dataset, hid_t creation, const std::vector<hsize_t> &extent)
{
  std::vector<hsize_t> chunk (extent.size (), 1);
  check (H5Pget_chunk (creation, static_cast<int> (chunk.size ()), chunk.data ()), "HDF5");
  const auto along = [&] (size_t i) { return (extent[i] + chunk[i] - 1) / chunk[i]; };
  const uint64_t layers = along (0), of_layer = along (1) * along (2);
  if (layers > most_layers || !chunks_are_placed (dataset))
    return {};
  const Handle space (H5Dget_space (dataset), H5Sclose, "HDF5");
  hsize_t written = 0;
  check (H5Dget_num_chunks (dataset, space, &written), "HDF5");
  if (written >= layers * of_layer)
    return {};
  std::vector<uint64_t> counts (layers);
  find_places (dataset, [&] (const Place &place) {
    if (const auto layer = place.corner[0] / chunk[0]; layer < layers)
      counts[layer]++;
  });
  PageRuns runs;
  for (uint64_t layer = 0; layer < layers; layer++)
    if (counts[layer] < of_layer)
      runs.push_back ({layer * chunk[0], std::min<uint64_t> ((layer + 1) * chunk[0], extent[0])});
  return runs;
}

} // namespace

PageRuns bare_pages (hid_t dataset)
{
  const auto extent = extents_of (dataset);
  if (extent.size () != 3)
    return {};
  const Handle creation (H5Dget_create_plist (dataset), H5Pclose, "HDF5");
  const auto layout = H5Pget_layout (creation);
  if (layout == H5D_CHUNKED)
    return bare_chunks (dataset, creation, extent);
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count (creation) == 0 && H5Dget_storage_size (dataset) == 0)
    return {{0, extent[0]}};
  return {};
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

Pages pages_of (hid_t selection)
{
  hsize_t low[H5S_MAX_RANK] = {}, high[H5S_MAX_RANK] = {};
  const bool known = H5Sget_simple_extent_ndims (selection) == 3 && H5Sget_select_bounds (selection, low, high) >= 0;
  H5Eclear2 (H5E_DEFAULT);
  return {known ? low[0] : 0, known && high[0] < endless - 1 ? high[0] + 1 : endless};
}

PageRuns carried (const PageRuns &pages, hid_t source, hid_t from, hid_t into)
{
  const auto extent = extents_of (source);
  const bool all = H5Sget_select_type (from) == H5S_SEL_ALL && extent.size () == 3;
  const auto taken = all ? Pages{0, extent[0]} : pages_of (from), place = pages_of (into);
  const bool alike = taken.end != endless && taken.end - taken.begin == place.end - place.begin;
  PageRuns runs;
  for (const auto &run : pages) {
    const auto begin = std::max (run.begin, taken.begin), end = std::min (run.end, taken.end);
    if (begin >= end)
      continue;
    if (!alike)
      return {place};
    runs.push_back ({begin - taken.begin + place.begin, end - taken.begin + place.begin});
  }
  return runs;
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
  uint64_t covered = 0; // up to here, where no source is
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
