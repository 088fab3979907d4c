// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/selection.hpp"
#include <algorithm>

namespace sino::hdf5 {

namespace {

struct Selected {
  std::array<Comb, 3> axes;
  bool endless = false; // the selection has no end of its own: it grows with its dataset
};

// HDF5 allows a single block to be longer than its stride.
Comb comb_of (hsize_t start, hsize_t stride, hsize_t count, hsize_t block, hsize_t extent)
{
  const auto left = extent > start ? extent - start : 0;
  if (block == H5S_UNLIMITED)
    block = std::max<hsize_t> (left, 1);
  stride = std::max (stride, block);
  return {.start = start,
          .stride = stride,
          .block = block,
          .n = count == H5S_UNLIMITED ? left / stride * block + std::min (left % stride, block) : count * block};
}

std::optional<Selected> selected (hid_t selection, const std::vector<hsize_t> &extent)
{
  if (extent.size () != 3)
    return {};
  Selected result;
  if (H5Sget_select_type (selection) == H5S_SEL_ALL) { // all of a dataset, whose extent the selection may not know
    for (size_t i = 0; i < 3; i++)
      result.axes[i] = {.start = 0, .stride = 1, .block = 1, .n = extent[i]};
    return result;
  }
  const auto slab = hyperslab_of (selection);
  if (!slab || slab->start.size () != 3)
    return {};
  const auto &[start, stride, count, block] = *slab;
  for (size_t i = 0; i < 3; i++) {
    if (stride[i] == 0 || block[i] == 0)
      return {};
    result.axes[i] = comb_of (start[i], stride[i], count[i], block[i], extent[i]);
    result.endless |= count[i] == H5S_UNLIMITED || block[i] == H5S_UNLIMITED;
  }
  return result;
}

} // namespace

std::optional<Hyperslab> hyperslab_of (hid_t selection)
{
  const std::vector<hsize_t> none (static_cast<size_t> (std::max (H5Sget_simple_extent_ndims (selection), 0)));
  Hyperslab slab{none, none, none, none};
  const bool regular = H5Sget_regular_hyperslab (selection, slab.start.data (), slab.stride.data (), slab.count.data (),
                                                 slab.block.data ()) >= 0;
  H5Eclear2 (H5E_DEFAULT);
  return regular ? std::optional (std::move (slab)) : std::nullopt;
}

bool Comb::touches (uint64_t begin, uint64_t end) const
{
  if (n == 0 || end <= start)
    return false;
  const auto first = begin > start ? (begin - start) / stride : 0;
  for (auto k = first; k < first + 2 && k * block < n; k++) {
    const auto from = start + k * stride, to = from + std::min (block, n - k * block);
    if (from < end && to > begin)
      return true;
  }
  return false;
}

std::optional<Mapping> mapping_of (hid_t from, const std::vector<hsize_t> &source, hid_t into,
                                   const std::vector<hsize_t> &extent)
{
  const auto taken = selected (from, source), put = selected (into, extent);
  if (!taken || !put)
    return {};
  Mapping mapping{taken->axes, put->axes[0]};
  const auto pages = std::min (mapping.from[0].n, mapping.into.n);
  const bool alike = pages == mapping.from[0].n && pages == mapping.into.n;
  if (!alike && !taken->endless && !put->endless)
    return {};
  const auto area = [] (const std::array<Comb, 3> &axes) { return axes[1].n * axes[2].n; };
  if (area (taken->axes) != area (put->axes))
    return {};
  mapping.from[0].n = mapping.into.n = pages;
  mapping.whole = taken->axes[1].n == source[1] && taken->axes[2].n == source[2];
  return mapping;
}

} // namespace sino::hdf5
