// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/bad-pixels/mask-file.hpp"
#include "base/error.hpp"

namespace sino::bad_pixels {

Map read_mask (const std::string &path, detector_image::Of of, const Format &projections)
{
  const auto values = detector_image::read ("mask", path, of, projections, "that is 0 where a pixel is good");
  Map map{projections.axes[2].extent, projections.axes[1].extent, std::vector<uint8_t> (values.size ())};
  std::ranges::transform (values, map.bad.begin (), [] (float value) { return value != 0; });
  if (const auto count = std::ssize (values); 2 * map.count () > count)
    fail (SINO_ERROR_BAD_FILE,
          "mask=%s marks %.3g %% of the pixels as bad: its values must be 0 where a pixel is good, is it inverted?",
          path.c_str (), 100 * static_cast<double> (map.count ()) / static_cast<double> (count));
  return map;
}

} // namespace sino::bad_pixels
