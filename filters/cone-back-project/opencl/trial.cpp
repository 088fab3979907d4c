// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/trial.hpp"
#include "families/trial.hpp"
#include "filters/cone-back-project/opencl/launcher.hpp"
#include <cmath>

namespace sino::cone_back_project {

using families::Problem, families::Setting;

namespace {

constexpr int64_t columns = 29, rows = 23, size = 24, slices = 19;

// Returns a test value. Values are smooth, as in scans, because the texture engine interpolates in coarse steps.
double value (int64_t view, int64_t row, int64_t column)
{
  const bool there = row >= 0 && row < rows && column >= 0 && column < columns;
  return there ? std::cos (0.3 * static_cast<double> (column) + static_cast<double> (view)) +
                     std::sin (0.25 * static_cast<double> (row)) + 1.5
               : 0;
}

// Returns a small job. Its slices are stretched until they are as steep on the detector as those of the problem.
Job some_job (const Setting &setting, const Problem &problem)
{
  constexpr double voxel = 0.8;
  const bool tilted = problem["rays"] == 1;
  ScanSetup setup{.source_origin = 90, .origin_detector = 40, .column = 13.2, .row = 12.1};
  if (tilted)
    setup.yaw = 0.1, setup.pitch = 0.2, setup.roll = 0.15, setup.axis_tilt = 0.2;
  std::vector<double> angles;
  for (int i = 0; i < setting["VIEWS"] + 5; i++)
    angles.push_back (0.2 + 2.4 * i);
  Job job{.volume = {.first = voxel * Vector{-0.5 * (size - 1), -0.5 * (size - 1), -0.5 * (slices - 1)},
                     .size = voxel,
                     .columns = size,
                     .lines = size,
                     .slices = slices},
          .columns = columns,
          .rows = rows,
          .radius = HUGE_VAL};
  for (int64_t i = 0; const auto &view : views_of (setup, angles)) {
    job.projections.push_back ({matrix_of (view), 0.1});
    if (problem["turns"] == 1)
      job.projections.back ().slices = {i % 3, slices - i % 5};
    i++;
  }
  const auto own = problem_of (job)["quarter-rows"];
  if (!tilted && own > 0)
    for (auto &projection : job.projections)
      projection.matrix[1][2] *= 0.95 * static_cast<double> (problem["quarter-rows"]) / static_cast<double> (own);
  return job;
}

Block projections_of (const Job &job)
{
  const auto n = std::ssize (job.projections);
  const auto format = std::make_shared<const Format> (
      projections (Element::f32, {Axis::angle, n}, {Axis::row, rows}, {Axis::column, columns}));
  Block block = make_block (format, {}, {{0, rows}, {0, n}});
  for (int64_t i = 0; i < block.values (); i++)
    block.as<float> ()[i] = static_cast<float> (value (i / (rows * columns), i / columns % rows, i % columns));
  return block;
}

std::vector<Block> some_slices ()
{
  const auto format =
      std::make_shared<const Format> (sino::slices (Element::f32, {Axis::z, slices}, {Axis::y, size}, {Axis::x, size}));
  return {make_block (format, {}, {{0, 11}, {0, 1}}), make_block (format, {}, {{11, slices}, {0, 1}})};
}

double truth (const Job &job, int64_t x, int64_t y, int64_t z)
{
  const auto at = job.volume.first +
                  job.volume.size * Vector{static_cast<double> (x), static_cast<double> (y), static_cast<double> (z)};
  double sum = 0;
  for (size_t view = 0; view < job.projections.size (); view++) {
    if (!job.projections[view].slices.contains ({z, z + 1}))
      continue;
    const auto spot = project (job.projections[view].matrix, at);
    const double left = std::floor (spot.column - 0.5), above = std::floor (spot.row - 0.5);
    const double u = spot.column - 0.5 - left, v = spot.row - 0.5 - above;
    const auto seen = [&] (int down, int right) {
      return value (static_cast<int64_t> (view), static_cast<int64_t> (above) + down,
                    static_cast<int64_t> (left) + right);
    };
    sum += job.projections[view].weight / (spot.weight * spot.weight) *
           ((1 - v) * ((1 - u) * seen (0, 0) + u * seen (0, 1)) + v * ((1 - u) * seen (1, 0) + u * seen (1, 1)));
  }
  return sum;
}

} // namespace

double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto job = some_job (setting, problem);
  auto blocks = some_slices ();
  Bill bill;
  Launcher::memory (device, job, setting, {rows, slices}, bill);
  Allotment memory (bill);
  const Monitor monitor;
  Launcher launcher (device, monitor, job, setting, memory);
  launcher.begin ({0, slices});
  launcher.add (projections_of (job));
  launcher.end ();
  for (auto &block : blocks)
    launcher.deliver (block);

  families::RelativeError error;
  for (const auto &block : blocks)
    for (auto z = block.rows ().begin; z < block.rows ().end; z++)
      for (int64_t y = 0; y < size; y += 2)
        for (int64_t x = 0; x < size; x++) {
          const float got = block.as<float> ()[((z - block.rows ().begin) * size + y) * size + x];
          error.add (static_cast<double> (got), truth (job, x, y, z));
        }
  return error.value ();
}

} // namespace sino::cone_back_project
