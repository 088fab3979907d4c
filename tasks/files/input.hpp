// SPDX-License-Identifier: LGPL-3.0-or-later
// From a path to a stack of images.
#pragma once
#include "files/hdf5-stack.hpp"
#include "files/sequence.hpp"

namespace sino::files {

struct Input {
  std::shared_ptr<const Stack> stack;
  std::shared_ptr<const Hdf5File> file; // null when it is no HDF5 file
  std::string path, dataset;            // "/exchange/data"
  Gaps gaps;                            // between numbered files

  std::string title () const { return dataset.empty () ? "'" + path + "'" : "'" + path + "' " + dataset; }
  // A dataset beside this one.
  std::string sibling (const std::string &name) const { return dataset.substr (0, dataset.rfind ('/') + 1) + name; }
};

// Opens HDF5 (the dataset that is named, else the first of `usual` that is there, else the only one that can hold
// images), a TIFF file, a folder of TIFFs, or a pattern with * and ?, in natural order.
// `messages` gets what people should know.
Input open_input (const std::string &path, const std::string &dataset, const std::vector<std::string> &usual,
                  Missing missing, std::vector<std::string> &messages);

} // namespace sino::files
