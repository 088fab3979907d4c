// SPDX-License-Identifier: LGPL-3.0-or-later
// Moves that copy pixels: each row and each column of the moved image is a row or column of the image, or zero.
#pragma once
#include "filters/move-pixels/move.hpp"
#include <vector>

namespace sino::move_pixels {

// For each position of the moved image along an axis: the position in the image that it is copied from, or `nowhere` if
// it becomes zero.
using Indices = std::vector<int64_t>;
inline constexpr int64_t nowhere = -1;

Indices in_order (int64_t first, int64_t count);

class Gather final : public Move
{
public:
  Gather (Element element, Extent from, Indices columns, Indices rows);

  Rows needs (Rows rows) const override;
  void make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const override;
  size_t scratch (int64_t) const override { return 0; }
  families::Problem problem () const override;
  void device_memory (const DeviceSizes &sizes, Bill &bill) const override;
  std::unique_ptr<OpenclMove> on (const OpenclSite &site) const override;

private:
  // Columns that are copied forward, backward, or from a single column.
  struct Run {
    int64_t from, count, step;
  };
  const Indices columns_from, rows_from;
  std::vector<Run> runs;
};

} // namespace sino::move_pixels
