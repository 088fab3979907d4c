// SPDX-License-Identifier: LGPL-3.0-or-later
// Detects whether removed stripes may belong to the object. Circles around the axis are in the same columns at all
// angles, like stripes of the detector, but symmetric about the axis.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sino::remove_stripes {

struct Mirror {
  double axis;           // column about which the removed values are symmetric, a multiple of 1/2
  double alike;          // correlation with the mirror image, 0 to 1
  int64_t first, second; // columns with the largest values on either side
};

// `taken`: removed value of each column. Empty if it is not symmetric about any column, or too small to decide.
std::optional<Mirror> find_mirror (std::span<const double> taken);

// Adds up rows: stripes of the detector differ between rows, while the object is nearly the same. Shared by all workers
// of a node.
class Mirrored
{
public:
  // Adds the values removed from the columns of a row. Returns a message for the user, once; else "".
  std::string add (std::span<const double> taken);

private:
  std::mutex mutex;
  std::vector<double> sum;
  int64_t rows = 0;
  bool told = false;
};

} // namespace sino::remove_stripes
