// SPDX-License-Identifier: LGPL-3.0-or-later
// A move that swaps rows and columns.
#pragma once
#include "filters/move-pixels/move.hpp"

namespace sino::move_pixels {

class Transposed final : public Move
{
public:
  Transposed (Element e, Extent image) : Move (e, image, e, {image.height, image.width}) {}

  Rows needs (Rows) const override { return {0, from.height}; }
  size_t scratch (int64_t) const override { return 0; }
  int64_t together () const override { return 64; } // a cache line of bytes
  void make (const Picture &in, int64_t frame, Rows rows, std::byte *out) const override;
  families::Problem problem () const override;
  std::unique_ptr<OpenclMove> on (const OpenclSite &site) const override;
};

} // namespace sino::move_pixels
