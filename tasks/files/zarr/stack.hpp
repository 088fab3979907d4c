// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads an array of Zarr, version 2, whose chunks are files.
#pragma once
#include "formats/stack.hpp"
#include <array>
#include <memory>
#include <string>

namespace sino::files {

// What .zarray says of an array.
struct ZarrArray {
  std::string folder;                   // of the array
  std::array<int64_t, 3> extent, chunk; // pages, lines, columns
  Element element = Element::f32;
  bool packed = false;  // by Blosc; otherwise chunks are plain
  bool swapped = false; // values are in the other byte order than this machine's
  char separator = '.'; // between the numbers in the name of a chunk
  double fill = 0;      // value of missing chunks
  std::string before;   // numbers of axes with one element that come first: "0.0."
};

std::shared_ptr<const formats::Stack> zarr_stack (ZarrArray array);

// The volume of an OME-Zarr written by 'write', to compare it with its checksums.
std::shared_ptr<const formats::Stack> written_zarr (const std::string &path, Element element,
                                                    const std::array<int64_t, 3> &extent);

} // namespace sino::files
