// SPDX-License-Identifier: LGPL-3.0-or-later
// The other files that a dataset takes pixels from: those of a virtual dataset, and raw files. HDF5 says nothing where
// they are missing or too short, and gives the fill value.
#pragma once
#include "tasks/hdf5/bare-pages.hpp"
#include "tasks/hdf5/protocol.hpp"

namespace sino::hdf5 {

struct Sources {
  std::vector<PixelSource> list;
  uint64_t unit = 0; // bytes of the largest chunk
  uint64_t most = 0; // sources that one page of a virtual dataset takes pixels from, at most
  // The parts of the dataset that take their pixels from what is missing; those that are missing of a source that is
  // virtual itself are not among them.
  std::vector<Handle> gaps;
  // Of a virtual dataset: pages without a source, or whose source was never written, wholly or in part.
  PageRuns bare;
};

// All of them, those of sources that are virtual themselves included; `fault` says what is wrong with one.
Sources find_sources (hid_t dataset);

// How a dataset is opened, so that sources of a numbered series are looked for behind one that is missing.
Handle dataset_access ();

} // namespace sino::hdf5
