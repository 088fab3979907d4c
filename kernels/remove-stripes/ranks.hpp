// SPDX-License-Identifier: LGPL-3.0-or-later
// Sorts the columns of sinograms, each by value: a stripe keeps the order of values in its column, and changes the
// values of a rank from one column to the next.
#pragma once
#include "kernels/remove-stripes/shape.hpp"
#include <span>

namespace sino::remove_stripes {

// A column whose values are interpolated between two others.
struct Bridge {
  int64_t left = -1, right = -1; // -1: the column keeps its own values
  float share = 0;               // weight of the right column

  bool is_own () const { return left < 0; }
  float across (const float *row) const { return row[left] + share * (row[right] - row[left]); }
};

// Bytes of temporary memory per thread.
size_t sorting_scratch (int64_t angles);

// Sorts the columns [begin, end) of the group. `order` gets the angle of each rank, [column][rank]; equal values keep
// the order of their angles. `bridges`: one for each column, or none.
void sort_columns (const Shape &shape, const float *group, std::span<const Bridge> bridges, int64_t begin, int64_t end,
                   void *scratch, int32_t *strips, uint16_t *order);

// Restores the order of angles.
void restore_columns (const Shape &shape, const int32_t *strips, const uint16_t *order, int64_t begin, int64_t end,
                      void *scratch, float *group);

} // namespace sino::remove_stripes
