// SPDX-License-Identifier: LGPL-3.0-or-later
// Filtered projections in memory, of which planes are made.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "device/pages-ahead.hpp"
#include "filters/cone/weighing.hpp"
#include "filters/live/easel.hpp"
#include "filters/ramp-filter/row-filter.hpp"
#include "kernels/live/plane.hpp"
#include "stream/block.hpp"
#include <atomic>

namespace sino::live {

struct Keeping {
  Projections projections;                        // sizes of what is kept
  int64_t places;                                 // projection k lies in place k % places
  int64_t rows, row_bin;                          // rows that come, and how many of them are averaged
  bool finite;                                    // whether all values are numbers
  std::vector<float> weights;                     // of each projection
  std::shared_ptr<const cone::Weighing> weighing; // of rays before the filter; null: none
};

class Resident
{
public:
  // `half`: half the padded length of rows, 0: they are not filtered.
  static void memory (const Keeping &keeping, int64_t half, int threads, Bill &bill);

  // `filter`: null if rows are not filtered.
  Resident (Keeping keeping, std::shared_ptr<const ramp_filter::RowFilter> filter, const Cpu &cpu, Allotment &memory);

  const Projections &projections () const { return keeping.projections; }
  // Filters some projections of a block and keeps them. The block has all rows.
  void take (const Block &in, Interval some);
  // Values that are too large for a half; they become the largest half.
  int64_t overflows () const { return overflown; }

private:
  Keeping keeping;
  const std::shared_ptr<const ramp_filter::RowFilter> filter;
  const Cpu &cpu;
  Allotment &allotment;
  Allotment::Piece values;
  PagesAhead pages; // of them
  std::atomic<int64_t> overflown{0};
  bool has_unit = false;

  struct Desk;
  const float *read (const Block &in, int64_t projection, int64_t row, Desk &desk) const;
  const float *weigh (int64_t projection, int64_t row, const float *from, Desk &desk, float *to) const;
  void keep (int64_t projection, int64_t row, const float *line);
  void find_unit (const Block &in, int64_t projection);
};

} // namespace sino::live
