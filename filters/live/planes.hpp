// SPDX-License-Identifier: LGPL-3.0-or-later
// Planes in words: "z=100", "x=0", "x=3,y=0,z=40,angle=30,tilt=20".
#pragma once
#include "kernels/live/plane.hpp"
#include "stream/format.hpp"
#include <optional>
#include <string>
#include <vector>

namespace sino::live {

struct PlaneWords {
  std::string text;
  std::optional<double> x, y, z; // the middle of the picture: columns from the axis, and the number of a slice
  double angle = 0, tilt = 0;    // degrees: of its lines from the x axis, and of the plane from a slice
};

// Throws Error.
PlaneWords parse_plane (const std::string &text);
std::vector<PlaneWords> parse_planes (const std::string &text);

// How planes lie in the projections of a scan, and how large their pictures are.
struct Measures {
  int64_t columns, rows; // of the stream
  Dim slices;            // numbers of the rows
  double rows_apart;     // distance of rows, in columns
  int64_t row_bin;       // rows that are averaged
  int64_t size;          // pixels of a picture's side; 0: as the volume
  double pixel;          // side of a pixel in columns

  int64_t width () const;
  int64_t upright_height () const;
  // Floats of the largest picture.
  size_t most_values () const;
  Plane plane_of (const PlaneWords &words) const;
  // Throws if a level plane is outside of the volume.
  void check (const PlaneWords &words) const;
};

} // namespace sino::live
