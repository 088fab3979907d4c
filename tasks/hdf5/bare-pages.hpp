// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds pages of a dataset (images along its first axis) with pixels that were never written; HDF5 returns the fill
// value for these.
#pragma once
#include "tasks/hdf5/protocol.hpp"
#include "tasks/hdf5/selection.hpp"
#include <map>

namespace sino::hdf5 {

// Finds the chunks of a dataset that were written. If HDF5 cannot tell, all count as written.
class Written
{
public:
  explicit Written (hid_t dataset);

  bool all () const { return chunks.empty () && !nothing; }
  // Pages of the virtual dataset that take pixels from this source, by this mapping, which were not written.
  PageRuns bare (const Mapping &mapping) const;
  size_t bytes () const { return sizeof *this + chunks.size () / 8; }

private:
  std::array<uint64_t, 3> chunk{}, along{}; // pixels of a chunk, and number of chunks, along each axis
  // Whether each chunk was written, [layer][row][column]; empty: all were, or none.
  std::vector<bool> chunks;
  bool nothing = false;

  void find (hid_t dataset, hid_t creation, const std::vector<hsize_t> &extent);
};

// Whether HDF5 gives the right positions of a dataset's chunks. It does not for extensible arrays whose unlimited axis
// is not the first one.
bool chunks_are_placed (hid_t dataset);
// Why the pages that were written so far are unknown while another program writes a dataset; "": they are known.
std::string why_unknown (hid_t dataset);

std::vector<hsize_t> extents (hid_t space);
std::vector<hsize_t> extents_of (hid_t dataset);

// The pages that contain a selection; all pages if unknown.
Pages pages_of (hid_t selection);

// Converts pages of a source to pages of the virtual dataset. Empty if the mapping takes only parts of pages.
PageRuns carried (PageRuns pages, const Mapping &mapping);

// Counts the sources of each page of a virtual dataset, to find pages without source.
class Cover
{
public:
  void add (const Pages &pages, int64_t sources);
  uint64_t most () const; // largest number of sources of a page
  PageRuns free (uint64_t pages) const;

private:
  std::map<uint64_t, int64_t> change; // change of the number of sources at a page
};

} // namespace sino::hdf5
