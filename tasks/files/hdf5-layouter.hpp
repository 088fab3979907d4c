// SPDX-License-Identifier: LGPL-3.0-or-later
// The structure of an HDF5 file that is written: the group /exchange with datasets and their attributes. HDF5's lock is
// held as long as it lives.
#pragma once
#include "base/temporary.hpp"
#include "geometry/vectors.hpp"
#include "tasks/hdf5/library.hpp"
#include <vector>

namespace sino::files {

class Layouter
{
public:
  using Extent = std::vector<hsize_t>;

  explicit Layouter (const Temporary &file);

  // Gives the offset of the pixels. With a chunk they are deflated, come later, and have none.
  int64_t pixels (const char *name, Element element, const Extent &extent, const std::string &provenance,
                  const Extent &chunk = {});
  void numbers (const char *name, const std::vector<double> &values, const char *units);
  // Each view as ASTRA's 12 numbers.
  void views (const std::vector<View> &list, const Panel &panel);
  // An attribute of the images.
  void pixel_size (double value);

private:
  std::unique_lock<std::recursive_mutex> guard = hdf5::lock ();
  std::string failed;
  hdf5::Handle file, group;

  hdf5::Handle dataset (const char *name, hid_t type, const Extent &extent, const Extent &chunk = {}) const;
  hdf5::Handle numbers (const char *name, const std::vector<double> &values, const Extent &extent) const;
  void attribute (hid_t object, const char *name, const std::string &value) const;
};

} // namespace sino::files
