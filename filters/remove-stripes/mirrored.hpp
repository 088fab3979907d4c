// SPDX-License-Identifier: LGPL-3.0-or-later
// Whether what is removed may be the object's: circles around the axis are at all angles in the same columns, as
// stripes of the detector are, but on both sides of the axis alike.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sino::remove_stripes {

struct Mirror {
  double axis;           // the column, with halves, about which what is removed is alike on both sides
  double alike;          // its correlation with its mirror image, 0 to 1
  int64_t first, second; // the columns of the most on either side
};

// What was taken from each column. Nothing where it is not alike on both sides of any column, or is too little to tell.
std::optional<Mirror> find_mirror (std::span<const double> taken);

// Sums up rows, in which the detector differs and the object is about the same. For all workers of a node.
class Mirrored
{
public:
  // Adds what was taken from the columns of a row. What people should know, once; else "".
  std::string add (std::span<const double> taken);

private:
  std::mutex mutex;
  std::vector<double> sum;
  int64_t rows = 0;
  bool told = false;
};

} // namespace sino::remove_stripes
