// SPDX-License-Identifier: LGPL-3.0-or-later
// Pages of a dataset, images along its first axis, of which nobody wrote all pixels: HDF5 gives the fill value for
// them.
#pragma once
#include "tasks/hdf5/selection.hpp"
#include <map>

namespace sino::hdf5 {

struct Pages {
  uint64_t begin = 0, end = 0;
};
using PageRuns = std::vector<Pages>;

// Which chunks of a dataset were written. Where HDF5 cannot tell, all of them.
class Written
{
public:
  explicit Written (hid_t dataset);

  bool all () const { return chunks.empty () && !nothing; }
  // Images of what a mapping takes, as those of where it puts them, some pixels of which were not.
  PageRuns bare (const Mapping &mapping) const;
  size_t bytes () const { return sizeof *this + chunks.size () / 8; }

private:
  std::array<uint64_t, 3> chunk{}, along{}; // pixels of a chunk, and how many there are
  std::vector<bool> chunks;                 // [layer][row][column]; empty: all are as each other
  bool nothing = false;

  void find (hid_t dataset, hid_t creation, const std::vector<hsize_t> &extent);
};

// Whether HDF5 says rightly where the chunks of a dataset belong: it walks through an extensible array as if its first
// axis were the one without end.
bool chunks_are_placed (hid_t dataset);

std::vector<hsize_t> extents_of (hid_t dataset);

// The pages that a selection lies in; all, where that cannot be told.
Pages pages_of (hid_t selection);

// Pages of the source of a virtual dataset as those of the dataset. None where only parts of them are taken.
PageRuns carried (PageRuns pages, const Mapping &mapping);

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
