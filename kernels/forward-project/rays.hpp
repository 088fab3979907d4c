// SPDX-License-Identifier: LGPL-3.0-or-later
// Rays through a volume as P. M. Joseph has them (An improved algorithm for reprojecting rays through pixel images,
// IEEE Trans. Med. Imaging 1, 1982): a ray goes from plane to plane of voxels, those of the axis that it runs along
// most, and is the sum of what is read between the four voxels around it in each, times the way from one plane to the
// next.
#pragma once
#include "kernels/volume.hpp"
#include "stream/rows.hpp"
#include <cstdint>
#include <vector>

namespace sino::forward_project {

using kernels::Volume;

// A coordinate of voxels from plane to plane.
struct Course {
  double start = 0, step = 0;

  double at (double plane) const { return start + step * plane; }
};

// Planes are columns, lines or slices.
enum class Along : uint8_t { x, y, z };

struct Ray {
  Along along = Along::y;
  Course in, up;              // in a slice, x or y, and z; x and y where the planes are slices
  double length = 0;          // from plane to plane, in the unit of Volume::size
  double first = 0, last = 0; // planes that have voxels of slices around it
  double inverse = 0;         // of the step of `up`, very large rather than infinite
};

// The rays of a row of pixels, in one or more lines across it, each from left to right. Each number has a list of its
// own, so that vectors can be read. The last ray of a line is repeated until the line fills vectors.
struct Rays {
  static constexpr int64_t most_lanes = 16;

  int64_t line = 0, stride = 0; // rays of a line without and with those that repeat the last
  std::vector<Along> along;
  std::vector<bool> mixed; // whether they go along several axes, of every most_lanes
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

constexpr int most_rays = 64; // of a pixel, along its columns and along its rows

// The detector of a projection, with as many rays per pixel as pixels are wider than voxels, so that no voxel is
// missed.
struct Detector {
  View view;
  Matrix matrix; // of the view
  int64_t columns;
  int across, down;
};
Detector detector_of (const View &view, int64_t columns, const Volume &volume);

// Bytes of the rays of a row at most.
size_t most_bytes (const std::vector<Detector> &detectors);

// The rays of a row.
void find_rays (const Volume &volume, const Detector &detector, int64_t row, Rays &rays);

// The slices that rows of the detector see of those given.
Interval slices_seen (const Volume &volume, const Detector &detector, Interval rows, Interval slices);

} // namespace sino::forward_project
