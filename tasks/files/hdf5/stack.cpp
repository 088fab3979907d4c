// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/stack.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::files {

using hdf5::Layout;

void set_extents (Stack &stack, const Hdf5Dataset &dataset)
{
  const auto &extent = dataset.facts.extent;
  stack.name = dataset.file->path;
  set_samples (stack, dataset.samples ());
  stack.pages = extent.size () == 3 ? static_cast<int64_t> (extent[0]) : 1;
  stack.lines = static_cast<int64_t> (extent[extent.size () - 2]);
  stack.columns = static_cast<int64_t> (extent.back ());
}

std::vector<FileStamp> stamps_of (const Hdf5Dataset &dataset)
{
  std::vector<std::string> paths{dataset.file->path, dataset.facts.storage};
  for (const auto &source : dataset.facts.sources)
    paths.push_back (source.path);
  std::ranges::sort (paths);
  paths.erase (std::unique (paths.begin (), paths.end ()), paths.end ());
  std::vector<FileStamp> stamps;
  for (const auto &path : paths)
    if (FileStamp stamp; !path.empty () && find_stamp (path, stamp))
      stamps.push_back (stamp);
  return stamps;
}

// Checks the description from the process, which a damaged file may have corrupted.
static void check_facts (const Hdf5Dataset &dataset)
{
  const auto &facts = dataset.facts;
  if (facts.extent.size () != 2 && facts.extent.size () != 3)
    fail (SINO_ERROR_BAD_FILE, "%s has %zu axes: a stack of images has three", dataset.title ().c_str (),
          facts.extent.size ());
  if (facts.sample > static_cast<uint32_t> (last_sample) || facts.layout > Layout::assembled)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: its type is unknown", dataset.title ().c_str ());
}

// Throws if sources are missing, or reports them once.
static void check_sources (const Hdf5Dataset &dataset, Missing missing, std::vector<std::string> &messages)
{
  const hdf5::PixelSource *first = nullptr;
  size_t n = 0;
  for (const auto &source : dataset.facts.sources)
    if (!source.fault.empty () && n++ == 0)
      first = &source;
  if (!first)
    return;
  const auto others = n > 1 ? text (", and %zu others, too", n - 1) : std::string ();
  if (missing != Missing::zero)
    fail (SINO_ERROR_BAD_FILE,
          "%s takes pixels from other files, and %s%s: put the missing files there, or set missing=zero",
          dataset.title ().c_str (), first->fault.c_str (), others.c_str ());
  messages.push_back (text ("%zu of the %zu parts of %s are missing, and are read as zeros: %s", n,
                            dataset.facts.sources.size (), dataset.title ().c_str (), first->fault.c_str ()));
}

std::shared_ptr<const Stack> open_hdf5_stack (std::shared_ptr<const Hdf5File> file, const std::string &name,
                                              Missing missing, std::vector<std::string> &messages, bool growing)
{
  Hdf5Dataset dataset{std::move (file), name, {}};
  dataset.facts = dataset.file->describe (name);
  check_facts (dataset);
  if (!growing) // sources that come later count as pages that were not written
    check_sources (dataset, missing, messages);
  const auto &extent = dataset.facts.extent;
  if (std::ranges::count (extent, 0) > 0)
    fail (SINO_ERROR_BAD_FILE, "%s is empty", dataset.title ().c_str ());
  const auto number = [] (uint64_t n) { return static_cast<int64_t> (std::min<uint64_t> (n, INT64_MAX)); };
  check_extents (dataset.title (), dataset.samples ().element (), extent.size () == 3 ? number (extent[0]) : 1,
                 number (extent[extent.size () - 2]), number (extent.back ()));
  const auto layout = dataset.facts.layout;
  if (growing && !dataset.facts.unknown.empty ())
    fail (SINO_ERROR_BAD_PROPERTY,
          "follow=true: %s: %s, so nothing tells which projections were written: let the detector write a chunk for "
          "each, or read the file when it is complete",
          dataset.title ().c_str (), dataset.facts.unknown.c_str ());
  const auto &facts = dataset.facts;
  const bool in_turn = facts.in_turn && !growing && facts.bare.empty () && facts.extent.size () == 3;
  return layout == Layout::chunked || (layout == Layout::assembled && !in_turn) ? unit_stack (dataset)
                                                                                : plain_stack (dataset);
}

} // namespace sino::files
