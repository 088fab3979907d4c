// SPDX-License-Identifier: LGPL-3.0-or-later
// A counting detector: converts a beam of photons to counts, in the same way for projections, flats and darks.
#pragma once
#include "stream/element.hpp"
#include "tasks/objects/philox.hpp"
#include <cstdint>
#include <span>
#include <vector>

namespace sino::objects {

struct DetectorOptions {
  int64_t width = 0, height = 0;
  double photons = 0;   // per pixel in the open beam; 0: without noise
  double open = 0;      // counts of the open beam above the darks
  double dark = 0;      // counts without beam
  double top = 0;       // saturation
  double structure = 0; // strength of uneven illumination and gain, 0 to 1
  double dead = 0;      // fraction of pixels that always read 0
  uint32_t seed = 0;
};

enum class Shot : uint32_t { pattern, projection, flat, dark };

class Detector
{
public:
  explicit Detector (const DetectorOptions &options);

  // Makes one row of a frame, at place `at` of the pixels, which are f32 or u16: `transmission` is the fraction of the
  // beam that arrives at each pixel, `beam` its intensity. Any thread.
  void expose (Shot shot, int64_t number, int64_t row, double beam, std::span<const double> transmission,
               Element element, void *pixels, int64_t at) const;

private:
  // Individual properties of a pixel.
  struct Pixel {
    double light, gain, dark;
  };
  Pixel pixel (int64_t column, int64_t row) const;

  DetectorOptions o;
  std::vector<double> stripes; // gain per column
};

} // namespace sino::objects
