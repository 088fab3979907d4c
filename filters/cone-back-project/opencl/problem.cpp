// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/problem.hpp"
#include <algorithm>
#include <cmath>

namespace sino::cone_back_project {

namespace {

// Returns the middle of the volume. Positions of voxels count from there: they are multiples of 1/2, which floats hold
// exactly.
Vector middle_of (const Volume &volume)
{
  const auto middle = [] (int64_t n) { return 0.5 * static_cast<double> (n - 1); };
  return {middle (volume.columns), middle (volume.lines), middle (volume.slices)};
}

// Returns the matrix for (x, y, z, 1) in voxels from the middle of the volume. Its columns and rows count from the
// centre of a pixel in the middle of the detector.
Matrix in_voxels (const Job &job, const Matrix &matrix)
{
  const auto &volume = job.volume;
  const auto middle = volume.first + volume.size * middle_of (volume);
  const double begin[] = {0.5 + static_cast<double> (job.columns / 2), 0.5 + static_cast<double> (job.rows / 2), 0};
  Matrix out;
  for (size_t k = 0; k < 3; k++) {
    const auto from_begin = [&] (size_t i) { return matrix[k][i] - begin[k] * matrix[2][i]; };
    const Vector m{from_begin (0), from_begin (1), from_begin (2)};
    out[k] = {volume.size * m.x, volume.size * m.y, volume.size * m.z, dot (m, middle) + from_begin (3)};
  }
  return out;
}

// Returns the z, a whole number, that the detector sees nearly in its middle, where its position in rows is precise.
double seen_in_the_middle (const Matrix &matrix)
{
  constexpr double most = 1 << 22; // floats hold multiples of 1/2 up to there
  const double z = -matrix[1][3] / matrix[1][2];
  return std::abs (z) < most ? std::round (z) : 0;
}

struct Steepness {
  bool upright = true;
  double rows = 0; // largest distance on the detector between neighbouring slices, in rows
};

// Returns how steep lines along z are on the detector. In an upright view, column and depth are the same for all
// slices.
Steepness steepness_of (const Job &job)
{
  const auto middle = middle_of (job.volume);
  Steepness all;
  for (const auto &projection : job.projections) {
    const auto m = in_voxels (job, projection.matrix);
    const double least = m[2][3] - std::abs (m[2][0]) * middle.x - std::abs (m[2][1]) * middle.y;
    const double over = std::abs (m[0][2]) + std::abs (m[2][2]) * static_cast<double> (job.columns);
    all.upright = all.upright && over * middle.z <= 1e-6 * least;
    all.rows = std::max (all.rows, std::abs (m[1][2]) / least);
  }
  return all;
}

} // namespace

bool has_turns (const Job &job)
{
  return std::ranges::any_of (job.projections, [&job] (const Projection &projection) {
    return !projection.slices.contains ({0, job.volume.slices});
  });
}

families::Problem problem_of (const Job &job)
{
  const auto steepness = steepness_of (job);
  return {1,
          job.volume.slices,
          {{"weights", 0},
           {"accuracy", 0},
           {"near-lines", 0},
           {"turns", has_turns (job) ? 1 : 0},
           {"rays", steepness.upright ? 0 : 1},
           {"columns", job.columns},
           {"rows", job.rows},
           {"quarter-rows", steepness.upright ? static_cast<int64_t> (std::ceil (4 * steepness.rows)) : 0}}};
}

std::vector<KernelView> kernel_views (const Job &job)
{
  std::vector<KernelView> views;
  const bool turns = has_turns (job);
  constexpr cl_int beyond = 1 << 30; // a work-item may have voxels beyond the last slice, which then take its views
  for (const auto &projection : job.projections) {
    const auto slices = projection.slices.meet ({0, job.volume.slices});
    auto matrix = in_voxels (job, projection.matrix);
    const auto seen = turns ? seen_in_the_middle (matrix) : 0;
    for (auto &row : matrix)
      row[3] += seen * row[2];
    const auto line = [&] (size_t k) {
      cl_float4 out;
      for (size_t i = 0; i < 4; i++)
        out.s[i] = static_cast<float> (matrix[k][i]);
      return out;
    };
    const bool last = !slices.empty () && slices.end == job.volume.slices;
    views.push_back ({line (0), line (1), line (2), static_cast<float> (projection.weight),
                      static_cast<cl_int> (slices.begin), last ? beyond : static_cast<cl_int> (slices.end),
                      static_cast<cl_float> (seen)});
  }
  return views;
}

Frame frame_of (const Job &job, Interval slices, Interval some, Interval rows)
{
  const auto &volume = job.volume;
  const auto middle = middle_of (volume);
  const auto whole = [] (int64_t n) { return static_cast<cl_int> (n); };
  const auto real = [] (double x) { return static_cast<cl_float> (x); };
  return {.width = whole (volume.columns),
          .height = whole (volume.lines),
          .depth = whole (slices.place (some.begin) + some.size ()),
          .first_z = whole (slices.begin),
          .middle_x = real (middle.x),
          .middle_y = real (middle.y),
          .middle_z = real (middle.z),
          .radius = real (job.radius / volume.size),
          .axis_x = real (-volume.first.x / volume.size),
          .axis_y = real (-volume.first.y / volume.size),
          .columns = whole (job.columns),
          .rows = whole (rows.size ()),
          .first_column = whole (-(job.columns / 2)),
          .first_row = whole (rows.begin - job.rows / 2),
          .grid = real (1.5 * std::exp2 (std::ceil (std::log2 (static_cast<double> (job.rows))) + 1)),
          .begin = whole (slices.place (some.begin))};
}

} // namespace sino::cone_back_project
