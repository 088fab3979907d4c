// SPDX-License-Identifier: LGPL-3.0-or-later
// A move that combines several pixels into one.
#pragma once
#include "filters/move-pixels/move.hpp"

namespace sino::move_pixels {

struct Factors {
  int64_t columns, rows;
};

// `scale`: factor for sums.
class Binned final : public Move
{
public:
  Binned (Element element, Extent from, Factors factors, double scale);

  Rows needs (Rows rows) const override { return {rows.begin * factors.rows, rows.end * factors.rows}; }
  void make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const override;
  size_t scratch (int64_t lanes) const override { return static_cast<size_t> (from.width * lanes) * sizeof (float); }
  families::Problem problem () const override;
  std::unique_ptr<OpenclMove> on (const OpenclSite &site) const override;

private:
  const Factors factors;
  const float scale;
};

} // namespace sino::move_pixels
