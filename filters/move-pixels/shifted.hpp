// SPDX-License-Identifier: LGPL-3.0-or-later
// Moves by fractions of a pixel: the same for all images, or one for each.
#pragma once
#include "filters/move-pixels/resampled.hpp"
#include <vector>

namespace sino::move_pixels {

// To the right and downwards, in pixels.
struct Way {
  double x, y;
};

class Shifted final : public Resampled
{
public:
  // `ways`: one for all images, or one for each. `sinograms`: the images are sinograms, so that each row has its own.
  Shifted (Element element, Extent image, Interpolation interpolation, std::vector<Way> ways, bool sinograms);

protected:
  void points (int64_t frame, int64_t row, Interval columns, double *from_columns, double *from_rows) const override;
  Reach reach_of (int64_t row) const override;
  Same same () const override
  {
    return ways.size () == 1 ? Same::in_stream : angles ? Same::for_pixel : Same::in_image;
  }

private:
  const bool angles; // rows are angles
  const std::vector<Way> ways;
  double up = 0, down = 0;
};

} // namespace sino::move_pixels
