// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes the structure of an HDF5 file: the group /exchange with datasets and their attributes. Holds HDF5's lock as
// long as it exists.
#pragma once
#include "formats/checksums.hpp"
#include "formats/target.hpp"
#include "geometry/vectors.hpp"
#include "stream/geometry.hpp"
#include "tasks/files/hdf5/written.hpp"
#include <vector>

namespace sino::files {

// Storage of compressed pixels; empty extent: contiguous, not compressed.
struct Chunks {
  std::vector<hsize_t> extent;
  formats::Compression packed = formats::Compression::none;
};

class Layouter
{
public:
  using Extent = std::vector<hsize_t>;

  Layouter (const formats::Descriptor &out, const std::string &path);

  // Returns the offset of the pixels. Compressed pixels are written later and have none.
  int64_t pixels (const char *name, Element element, const Extent &extent, const std::string &provenance,
                  const Chunks &chunks = {});
  void numbers (const char *name, const std::vector<double> &values, const char *units);
  // Reserves space for checksums, which are written after all pixels.
  void checksums (formats::Checksums::Of of, int64_t n) const;
  // Writes each view as 12 numbers, as in ASTRA.
  void views (const std::vector<View> &list, const Panel &panel);
  // Writes the beam's energy in keV and the distance between sample and detector in m, if known.
  void beam (const Geometry &geometry) const;
  // Adds the groups that make a file with slices an NXtomoproc.
  void nxtomoproc (const formats::Planned &planned);
  // Writes an attribute of the images.
  void pixel_size (double value);
  // Throws the first write error so far.
  void check_written () const { file.check (); }
  // Completes the file.
  void close ();

private:
  std::unique_lock<std::recursive_mutex> guard = hdf5::lock ();
  std::string failed;
  WrittenFile file;
  hdf5::Handle group;

  hdf5::Handle dataset (const char *name, hid_t type, const Extent &extent, const Chunks &chunks = {}) const;
  hdf5::Handle numbers (const char *name, const std::vector<double> &values, const Extent &extent) const;
  void attribute (hid_t object, const char *name, const std::string &value) const;
};

} // namespace sino::files
