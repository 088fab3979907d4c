// SPDX-License-Identifier: LGPL-3.0-or-later
// The mean of all projections of a whole turn is that of a round object, for any object: it is its own mirror image
// about the plane of source and axis.
#pragma once
#include "filters/find-geometry/least-squares.hpp"
#include "filters/find-geometry/reduced.hpp"

namespace sino::find_geometry {

Image mean_of (const Reduced &scan);

// Column of the axis: where the middle rows of the mean match their mirror image best, up to a quarter of the width
// from the given column.
double mirror_column (const Image &mean, double given);

// What is left of the mean if its mirror image is taken away, at rays in steps of a column and a row of `start`.
class Mirror
{
public:
  Mirror (const Image &mean, const Values &start, double aspect);
  void add (const Values &values, double weight, std::vector<double> &left) const;

private:
  const Image *mean;
  double aspect;
  Detector detector;
  double half; // columns on each side of the axis
};

} // namespace sino::find_geometry
