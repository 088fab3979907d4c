// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/forward-project/opencl/trial.hpp"
#include "families/trial.hpp"
#include "filters/forward-project/opencl/launcher.hpp"
#include "kernels/forward-project/joseph.hpp"
#include <cmath>

namespace sino::forward_project {

using families::Problem, families::Setting;

namespace {

constexpr int64_t columns = 29, rows = 23;
constexpr Volume volume{{-9.3, -9.9, -7.2}, 0.8, 24, 26, 19};

// Views along all axes; steep ones only if the problem has them.
std::vector<Detector> some_detectors (const Setting &setting, const Problem &problem)
{
  ScanSetup setup{.source_origin = 90, .origin_detector = 40, .column = 13.2, .row = 12.1};
  if (problem["steep"])
    setup.yaw = 0.1, setup.pitch = 0.2, setup.roll = 0.15, setup.axis_tilt = 0.8;
  std::vector<double> angles;
  for (int i = 0; i < std::min (setting["VIEWS"] + 3, 19); i++)
    angles.push_back (0.2 + 2.4 * i);
  std::vector<Detector> all;
  for (const auto &view : views_of (setup, angles))
    all.push_back (detector_of (view, columns, volume));
  return all;
}

// Smooth values, as in scans, because the texture engine interpolates in coarse steps.
Block some_slices ()
{
  const auto format = std::make_shared<const Format> (
      slices (Element::f32, {Axis::z, volume.slices}, {Axis::y, volume.lines}, {Axis::x, volume.columns}));
  Block block = make_block (format, {}, {{0, volume.slices}, {0, 1}});
  for (int64_t i = 0; i < block.values (); i++) {
    const auto x = static_cast<double> (i % volume.columns),
               y = static_cast<double> (i / volume.columns % volume.lines),
               z = static_cast<double> (i / volume.columns / volume.lines);
    block.as<float> ()[i] = static_cast<float> (std::cos (0.3 * x + z) + std::sin (0.25 * y) + 1.5);
  }
  return block;
}

double truth (const Block &block, const Ray &ray)
{
  double sum = 0;
  for (int64_t z = 0; z < volume.slices; z++)
    sum += ray.length * gathered (volume, z, block.as<float> () + block.offset (0, z), ray);
  return sum;
}

} // namespace

double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto detectors = some_detectors (setting, problem);
  const Job job{volume, detectors};
  const auto angles = std::ssize (detectors);
  const auto block = some_slices ();
  Block out = make_block (std::make_shared<const Format> (projections (Element::f32, {Axis::angle, angles},
                                                                       {Axis::row, rows}, {Axis::column, columns})),
                          {}, {{0, rows}, {0, angles}});
  Bill bill;
  Launcher::memory (device, job, setting, {rows, volume.slices, block.bytes (), out.bytes ()}, bill);
  Allotment memory (bill);
  const Monitor monitor;
  Launcher launcher (device, monitor, job, setting, memory);
  launcher.begin ({0, rows}, {0, volume.slices});
  launcher.add (block);
  launcher.end ();
  launcher.deliver (out);

  families::RelativeError error;
  Rays rays;
  for (int64_t i = 0; i < angles; i++)
    for (int64_t row = i % 5; row < rows; row += 5) {
      const auto &detector = detectors[static_cast<size_t> (i)];
      find_rays (volume, detector, row, rays);
      for (int64_t u = 0; u < columns; u++)
        error.add (static_cast<double> (out.as<float> ()[out.offset (i, row) + u]), truth (block, rays.at (u)));
    }
  return error.value ();
}

} // namespace sino::forward_project
