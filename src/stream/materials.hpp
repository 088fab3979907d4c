// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <limits>
#include <vector>

namespace sino {

// Materials of a scanned object, by the values of voxels. Part of the format of slices.
struct Materials {
  double metal = std::numeric_limits<double>::infinity (); // voxels above this value are metal
  double object = 0;                                       // the usual value of the object
  // Classes of the values that are not metal. The first is air.
  struct Class {
    double below; // values below it, and not of the class before; infinite for the last class
    double value; // mean of the class; 0 for air
  };
  std::vector<Class> classes = {};
};

} // namespace sino
