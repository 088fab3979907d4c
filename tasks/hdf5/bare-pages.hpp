// SPDX-License-Identifier: LGPL-3.0-or-later
// Pages of a dataset, images along its first axis, of which nobody wrote all pixels: HDF5 gives the fill value for
// them.
#pragma once
#include "tasks/hdf5/library.hpp"
#include <cstdint>
#include <map>
#include <vector>

namespace sino::hdf5 {

struct Pages {
  uint64_t begin = 0, end = 0;
};
using PageRuns = std::vector<Pages>;

// Those of chunks that were never written, or of a dataset of which nothing was. Where HDF5 cannot tell, none.
PageRuns bare_pages (hid_t dataset);

// Whether HDF5 says rightly where the chunks of a dataset belong: it walks through an extensible array as if its first
// axis were the one without end.
bool chunks_are_placed (hid_t dataset);

// The pages that a selection lies in; all, where that cannot be told.
Pages pages_of (hid_t selection);

// Pages of the source of a virtual dataset, selected by `from`, as those of the dataset, selected by `into`.
PageRuns carried (const PageRuns &pages, hid_t source, hid_t from, hid_t into);

// What the sources of a virtual dataset leave free.
class Cover
{
public:
  void add (const Pages &pages, int64_t sources);
  uint64_t most () const; // sources of one page
  PageRuns free (uint64_t pages) const;

private:
  std::map<uint64_t, int64_t> change; // in how many sources there are, from a page on
};

} // namespace sino::hdf5
