// SPDX-License-Identifier: LGPL-3.0-or-later
// Patterns of file names: "slice-%05i.tif" gives a name for each number, "slice-%.2f.tif" for each value of an image.
#pragma once
#include "base/visibility.hpp"
#include <cstdint>
#include <string>

namespace sino::formats {

class SINO_VISIBLE Pattern
{
public:
  // One %i (or %d), with a width and leading zeros if wanted, or %f, also with decimals; %% is a per cent sign. Throws
  // on anything else.
  explicit Pattern (const std::string &path);

  bool numbered () const { return numbered_; }
  // Whether the number is a value of the image, such as its rotation axis, instead of its index in the scan.
  bool valued () const { return decimals >= 0; }
  std::string name (int64_t number) const;
  std::string name_of_value (double value) const;

private:
  std::string before, after;
  bool numbered_ = false, zeros = false;
  int width = 0, decimals = -1;
  std::string padded (std::string digits) const;
};

} // namespace sino::formats
