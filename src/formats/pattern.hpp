// SPDX-License-Identifier: LGPL-3.0-or-later
// "slice-%05i.tif": a name for each number.
#pragma once
#include "base/visibility.hpp"
#include <cstdint>
#include <string>

namespace sino::formats {

class SINO_VISIBLE Pattern
{
public:
  // One %i (or %d), with a width and leading zeros if wanted; %% is a per cent sign. Throws on anything else.
  explicit Pattern (const std::string &path);

  bool numbered () const { return numbered_; }
  std::string name (int64_t number) const;

private:
  std::string before, after;
  bool numbered_ = false, zeros = false;
  int width = 0;
};

} // namespace sino::formats
