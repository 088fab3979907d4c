// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks, while rows of attenuation are filtered, that they fall to zero at the borders of the detector. An object that
// extends beyond the detector is reconstructed wrongly; if the axis is known, no other check finds this.
#pragma once
#include "glue/task.hpp"
#include <map>

namespace sino::borders {

class Watch
{
public:
  // `wanted`: false disables the check.
  Watch (Messages &m, bool w) : messages (m), wanted (w) {}

  bool looks () const { return wanted; }
  // Only one of this many rows needs to be checked.
  static constexpr int64_t one_of = 16;
  // Checks a row. `stride`: distance of its values in memory. Any thread may call it.
  void see (const float *row, int64_t columns, int64_t stride = 1);
  // Writes the message. Call it after the last row.
  void tell ();

private:
  Messages &messages;
  const bool wanted;
  std::mutex mutex;
  // left, right: number of rows that are not zero at this border
  struct Counts {
    int64_t rows = 0, left = 0, right = 0;
  };
  // By the logarithm of the rows' means: only the greatest mean, which may come last, tells which rows show the object.
  std::map<int, Counts> seen;
};

} // namespace sino::borders
