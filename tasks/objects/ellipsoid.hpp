// SPDX-License-Identifier: LGPL-3.0-or-later
// Objects with exact projections: sums of ellipsoids, in units of half the detector's width, so that one object fits
// every scan. In a slice, x points right and y up; z points up along the rotation axis (rows are counted down).
#pragma once
#include "stream/view.hpp"
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace sino::objects {

struct Ellipsoid {
  std::array<double, 3> centre{};
  std::array<double, 3> half_axes{1, 1, endless}; // the third may be endless: a cylinder along z
  std::array<double, 3> turns{};                  // degrees: about z, then about the turned x, then about the turned z
  double value = 0;                               // added to the attenuation inside the ellipsoid

  static constexpr double endless = std::numeric_limits<double>::infinity ();
};

using Object = std::vector<Ellipsoid>;

// An object at the scale of a scan: lengths in pixels (or any unit), attenuation per pixel, in the coordinates of the
// reconstruction (x right, y down, z down, all from the middle). A ray hits the detector at axis + x cos(theta) - y
// sin(theta).
class Body
{
public:
  // `half_width` pixels are a length of 1 in the object. A value of 1 attenuates by `density` over that length. The
  // middle row is at height `height` of the object.
  Body (const Object &object, double half_width, double density, double height);

  // Whether all rows are equal.
  bool uniform () const { return uniform_; }

  // line[u] += the integral along the ray that meets the detector at (u + first) from the axis, z below the middle.
  void project (double theta, double z, double first, std::span<double> line) const;

  // line[u] += the integral along the ray that meets a detector anywhere at column u + first, row v.
  void project (const View &view, double first, double v, std::span<double> line) const;

  // line[i] += weight times the attenuation at (i + first, y, z).
  void sample (double y, double z, double first, double weight, std::span<double> line) const;

private:
  // (p - centre)^T M (p - centre) <= 1
  struct Quadric {
    double x, y, z, xx, yy, zz, xy, xz, yz, value;
  };
  std::vector<Quadric> quadrics;
  bool uniform_ = true;
};

} // namespace sino::objects
