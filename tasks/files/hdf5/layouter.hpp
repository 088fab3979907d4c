// SPDX-License-Identifier: LGPL-3.0-or-later
// The structure of an HDF5 file that is written: the group /exchange with datasets and their attributes. HDF5's lock is
// held as long as it lives.
#pragma once
#include "formats/checksums.hpp"
#include "formats/target.hpp"
#include "geometry/vectors.hpp"
#include "stream/geometry.hpp"
#include "tasks/files/hdf5/written.hpp"
#include <vector>

namespace sino::files {

// How pixels are stored that are compressed; no extent: they lie as they are.
struct Chunks {
  std::vector<hsize_t> extent;
  formats::Compression packed = formats::Compression::none;
};

class Layouter
{
public:
  using Extent = std::vector<hsize_t>;

  Layouter (const formats::Descriptor &out, const std::string &path);

  // Gives the offset of the pixels. Those that are compressed come later and have none.
  int64_t pixels (const char *name, Element element, const Extent &extent, const std::string &provenance,
                  const Chunks &chunks = {});
  void numbers (const char *name, const std::vector<double> &values, const char *units);
  // Room for checksums, which come when all pixels are there.
  void checksums (formats::Checksums::Of of, int64_t n) const;
  // Each view as ASTRA's 12 numbers.
  void views (const std::vector<View> &list, const Panel &panel);
  // The beam's energy in keV and the distance of sample and detector in m, as far as they are known.
  void beam (const Geometry &geometry) const;
  // What makes slices an NXtomoproc, besides.
  void nxtomoproc (const formats::Planned &planned);
  // An attribute of the images.
  void pixel_size (double value);
  // Throws what could not be written so far.
  void check_written () const { file.check (); }
  // The file is complete.
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
