// SPDX-License-Identifier: LGPL-3.0-or-later
// Other files with pixels of a dataset: sources of virtual datasets, and raw files. If these are missing or too short,
// HDF5 returns the fill value without an error.
#pragma once
#include "tasks/hdf5/bare-pages.hpp"
#include "tasks/hdf5/protocol.hpp"

namespace sino::hdf5 {

struct Sources {
  std::vector<PixelSource> list;
  uint64_t unit = 0;    // bytes of the largest chunk
  uint64_t most = 0;    // most sources of one page of a virtual dataset
  bool in_turn = false; // see Description
  // The parts of the dataset whose sources are missing, not including missing parts of sources that are virtual
  // themselves.
  std::vector<Handle> gaps;
  // For a virtual dataset: pages that have no source, or whose source was not written completely.
  PageRuns bare;
  std::string unknown; // why the pages that were written are unknown
};

// All sources, including those of virtual sources; `fault` has the error of a source.
Sources find_sources (hid_t dataset);

// Access properties for datasets: in a numbered series, sources after a missing one are also searched.
Handle dataset_access ();

} // namespace sino::hdf5
