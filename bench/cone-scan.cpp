// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/cone-scan.hpp"
#include <numbers>

namespace sino::bench {

double lift_of (const BenchOptions &options)
{
  return options.turns > 1 ? static_cast<double> (options.size) / static_cast<double> (options.turns - 1) : 0;
}

std::shared_ptr<const Format> cone_scan (const BenchOptions &options)
{
  const auto size = static_cast<double> (options.size), detector = static_cast<double> (options.detector);
  auto geometry = std::make_shared<Geometry> ();
  // The middle of a helix is that of the cube, but for a part of a step: no projection then lies half a turn from a
  // slice.
  constexpr double aside = 0.0858;
  const double range = 2 * std::numbers::pi * static_cast<double> (options.turns),
               step = range / static_cast<double> (options.projections),
               first = options.turns > 1 ? (0.5 - aside) * step - 0.5 * range : 0;
  for (int64_t i = 0; i < options.projections; i++)
    geometry->angles.push_back (first + step * static_cast<double> (i));
  // The size of a pixel makes the cube's image cover 0.8 of the detector, which stands well behind the cube.
  const double source = 2 * size, magnification = 3, pixel = magnification * size / (0.8 * detector);
  geometry->axis = {0.5 * detector};
  geometry->views = views_of ({.source_origin = source,
                               .origin_detector = source * (magnification - 1),
                               .pixel_width = pixel,
                               .pixel_height = pixel,
                               .column = 0.5 * detector,
                               .row = 0.5 * detector,
                               .lift = lift_of (options)},
                              geometry->angles);
  auto format =
      std::make_shared<Format> (projections (Element::f32, {Axis::angle, options.projections},
                                             {Axis::row, options.detector}, {Axis::column, options.detector}));
  format->geometry = std::move (geometry);
  return format;
}

void fill (Block &block)
{
  for (int64_t i = 0; i < block.values (); i++) {
    const auto n = static_cast<uint32_t> (i) * 2654435761U;
    block.as<float> ()[i] = 1 + static_cast<float> (n >> 8) * 0x1p-24F;
  }
}

} // namespace sino::bench
