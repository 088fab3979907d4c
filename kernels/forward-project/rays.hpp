// SPDX-License-Identifier: LGPL-3.0-or-later
// Rays through a volume by the method of P. M. Joseph (An improved algorithm for reprojecting rays through pixel
// images, IEEE Trans. Med. Imaging 1, 1982). A ray goes from plane to plane of voxels; the planes are perpendicular to
// the axis nearest to its direction. In each plane, the value is interpolated between the four voxels around the ray,
// and multiplied by the length of the ray from one plane to the next. The sum of these is the ray's value.
#pragma once
#include "kernels/volume.hpp"
#include "stream/rows.hpp"
#include <cstdint>
#include <vector>

namespace sino::forward_project {

using kernels::Volume;

// A coordinate of a ray, in voxels, as a linear function of the plane's number.
struct Course {
  double start = 0, step = 0;

  double at (double plane) const { return start + step * plane; }
};

// Planes are columns, lines or slices.
enum class Along : uint8_t { x, y, z };

struct Ray {
  Along along = Along::y;
  Course in, up;              // coordinates of the ray: x or y in a slice, and z; x and y if the planes are slices
  double length = 0;          // length of the ray between two planes, in the unit of Volume::size
  double first = 0, last = 0; // range of planes on which the ray has voxels around it
  double inverse = 0;         // inverse of the step of `up`, very large instead of infinite
};

// The rays of a row of pixels, in one or more lines across the row, each from left to right. Each number has its own
// list, so that vectors can be loaded. The last ray of a line is repeated until the line fills vectors.
struct Rays {
  static constexpr int64_t most_lanes = 16;

  int64_t line = 0, stride = 0; // number of rays of a line: without the repeated ones, and with them
  std::vector<Along> along;
  std::vector<bool> mixed; // for each most_lanes rays: whether they run along different axes
  std::vector<double> in, in_step, up, up_step, inverse, length, first, last;

  int64_t size () const { return static_cast<int64_t> (along.size ()); }
  Ray at (int64_t number) const
  {
    const auto i = static_cast<size_t> (number);
    return {along[i], {in[i], in_step[i]}, {up[i], up_step[i]}, length[i], first[i], last[i], inverse[i]};
  }
  void resize (int64_t n);
  void put (size_t i, const Ray &ray);
};

constexpr int most_rays = 64; // largest number of rays of a pixel, along its columns and along its rows

// The detector of a projection. A pixel that is wider than a voxel has several rays, so that they miss no voxel.
struct Detector {
  View view;
  Matrix matrix; // matrix of the view
  int64_t columns;
  int across, down;
};
Detector detector_of (const View &view, int64_t columns, const Volume &volume);

// Returns the largest number of bytes that the rays of a row need.
size_t most_bytes (const std::vector<Detector> &detectors);

// Finds the rays of a row.
void find_rays (const Volume &volume, const Detector &detector, int64_t row, Rays &rays);

// Returns the slices, among the given ones, that rows of the detector see.
Interval slices_seen (const Volume &volume, const Detector &detector, Interval rows, Interval slices);

} // namespace sino::forward_project
