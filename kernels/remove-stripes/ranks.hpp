// SPDX-License-Identifier: LGPL-3.0-or-later
// The columns of sinograms, each with its values in order: a stripe keeps the order of its column's values, and changes
// the values of a rank from one column to the next.
#pragma once
#include "kernels/remove-stripes/shape.hpp"

namespace sino::remove_stripes {

// Columns whose values are not their own, but between those of two others.
struct Bridge {
  int64_t left = -1, right = -1; // -1: it has its own
  float share = 0;               // of the right one

  bool is_own () const { return left < 0; }
  float across (const float *row) const { return row[left] + share * (row[right] - row[left]); }
};

// Bytes of what a thread works in.
size_t sorting_scratch (int64_t angles);

// The columns [begin, end) of the group in order. `order` gets the angle of each rank, [column][rank]; equal values
// keep the order of their angles. Null: columns stay in the order of their angles. `bridges`: one for each column, or
// null.
void sort_columns (const Shape &shape, const float *group, const Bridge *bridges, int64_t begin, int64_t end,
                   void *scratch, int32_t *strips, uint16_t *order);

// Back to the order of the angles.
void restore_columns (const Shape &shape, const int32_t *strips, const uint16_t *order, int64_t begin, int64_t end,
                      void *scratch, float *group);

} // namespace sino::remove_stripes
