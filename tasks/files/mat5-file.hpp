// SPDX-License-Identifier: LGPL-3.0-or-later
// What a MATLAB file of version 5 holds (save with -v6 or -v7): arrays of numbers by name.
#pragma once
#include "formats/samples.hpp"
#include "tasks/files/inflate.hpp"
#include <vector>

namespace sino::files {

struct MatArray {
  std::string name;
  std::vector<int64_t> extents; // as MATLAB counts axes: the first one runs fastest
  Samples samples;
  bool complex = false;
  int64_t values = 0;
  int64_t offset = 0; // of the values in the file; of a packed array in what it becomes
  int64_t packed_at = -1,
          packed = 0; // where the packed bytes lie, and how many; -1: the values lie in the file as they are

  // "P (256 x 4 x 180 f32)"
  std::string describe () const;
};

// The arrays of numbers with two axes or more, in the file's order; others (structs, cells, texts, sparse ones) are
// left out. Throws on what is damaged. `title` is the file, for messages.
std::vector<MatArray> find_arrays (const Descriptor &file, const std::string &title);

// All values of an array.
std::vector<double> read_array (const Descriptor &file, const MatArray &array, const std::string &title);

} // namespace sino::files
