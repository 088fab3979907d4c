// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces bad pixels by the mean of the nearest good pixels to the left, right, above and below, weighted by 1 /
// distance: linear interpolation across a dead column or row.
#pragma once
#include "filters/bad-pixels/map.hpp"
#include "filters/move-pixels/move.hpp"
#include <memory>

namespace sino::bad_pixels {

class Mended final : public move_pixels::Move
{
public:
  // The map must be complete before the first image comes.
  Mended (Element e, move_pixels::Extent image, std::shared_ptr<const Map> m, int64_t r)
      : Move (e, image, e, image), map (std::move (m)), reach (r)
  {
  }

  Rows needs (Rows rows) const override
  {
    return {std::max<int64_t> (rows.begin - reach, 0), std::min (rows.end + reach, from.height)};
  }
  void make (const move_pixels::Picture &in, int64_t frame, Rows rows, std::byte *out) const override;
  size_t scratch (int64_t) const override { return 0; }

private:
  const std::shared_ptr<const Map> map;
  const int64_t reach;

  template <class T, class Load, class Store>
  void mend (const move_pixels::Picture &in, Rows rows, std::byte *out, Load load, Store store) const;
};

} // namespace sino::bad_pixels
