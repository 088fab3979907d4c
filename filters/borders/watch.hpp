// SPDX-License-Identifier: LGPL-3.0-or-later
// Whether rows of attenuation fall to zero at the borders of the detector, seen while they are filtered: an object that
// goes on beyond them is reconstructed wrongly, which nothing else tells where the axis is known.
#pragma once
#include "glue/task.hpp"

namespace sino::borders {

class Watch
{
public:
  // `wanted`: else nothing is looked at.
  Watch (Messages &messages, bool wanted);

  bool looks () const { return wanted; }
  // One of this many rows is enough.
  static constexpr int64_t one_of = 16;
  // Values of a row are so far apart. Any thread.
  void see (const float *row, int64_t columns, int64_t stride = 1);
  // After the last row.
  void tell ();

private:
  Messages &messages;
  const bool wanted;
  std::mutex mutex;
  double fullest = 0;                    // mean of a row
  int64_t rows = 0, left = 0, right = 0; // rows with something in them, and those that do not fall to zero
};

} // namespace sino::borders
