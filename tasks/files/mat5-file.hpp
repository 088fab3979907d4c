// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads MATLAB files of version 5 (saved with -v6 or -v7): numeric arrays by name.
#pragma once
#include "formats/samples.hpp"
#include "tasks/files/inflate.hpp"
#include <vector>

namespace sino::files {

struct MatArray {
  std::string name;
  std::vector<int64_t> extents; // extents in MATLAB's order: the first axis is the fastest
  Samples samples;
  bool complex = false;
  int64_t values = 0;
  int64_t offset = 0; // position of the values in the file; for a compressed array: in the decompressed data
  int64_t packed_at = -1,
          packed = 0; // range of the compressed bytes; -1: the values are not compressed

  // "P (256 x 4 x 180 f32)"
  std::string describe () const;
};

// Numeric arrays with two axes or more, in the file's order; others (structs, cells, texts, sparse ones) are skipped.
// Throws if the file is damaged. `title`: the file, for messages.
std::vector<MatArray> find_arrays (const Descriptor &file, const std::string &title);

// All values of an array.
std::vector<double> read_array (const Descriptor &file, const MatArray &array, const std::string &title);

} // namespace sino::files
