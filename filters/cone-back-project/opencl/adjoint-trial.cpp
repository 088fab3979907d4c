// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/adjoint-trial.hpp"
#include "families/trial.hpp"
#include "filters/cone-back-project/opencl/adjoint.hpp"
#include "kernels/forward-project/joseph.hpp"
#include <algorithm>
#include <cmath>

namespace sino::cone_back_project {

using families::Problem, families::Setting, forward_project::Detector;

namespace {

constexpr int64_t across = 29, down = 23; // pixels
constexpr Volume box{{-9.3, -9.9, -7.2}, 0.8, 24, 26, 19};

// Views with as many lines near a voxel as in the problem.
std::vector<View> some_views (const Setting &setting, const Problem &problem)
{
  ScanSetup setup{.source_origin = 900, .origin_detector = 40, .column = 13.2, .row = 12.1};
  if (problem["rays"] == 1)
    setup.yaw = 0.1, setup.pitch = 0.2, setup.roll = 0.15, setup.axis_tilt = 0.8;
  else
    setup.pixel_height = 940.0 / 900 * box.size * 2 / (0.95 * (static_cast<double> (problem["near-lines"]) - 0.2));
  std::vector<double> angles;
  for (int i = 0; i < std::min (setting["VIEWS"] + 3, 19); i++)
    angles.push_back (0.2 + 2.4 * i);
  return views_of (setup, angles);
}

Block some_projections (int64_t angles)
{
  Block block = make_block (std::make_shared<const Format> (sino::projections (
                                Element::f32, {Axis::angle, angles}, {Axis::row, down}, {Axis::column, across})),
                            {}, {{0, down}, {0, angles}});
  for (int64_t i = 0; i < block.values (); i++)
    block.as<float> ()[i] = families::noise (i) + 0.5F;
  return block;
}

} // namespace

double adjoint_trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  Job job{.projections = {}, .volume = box, .columns = across, .rows = down, .radius = HUGE_VAL};
  std::vector<Detector> detectors;
  for (const auto &view : some_views (setting, problem)) {
    job.projections.push_back ({matrix_of (view), 1});
    detectors.push_back (forward_project::detector_of (view, across, box));
  }
  const auto in = some_projections (std::ssize (detectors));
  Block out = make_block (std::make_shared<const Format> (sino::slices (Element::f32, {Axis::z, box.slices},
                                                                        {Axis::y, box.lines}, {Axis::x, box.columns})),
                          {}, {{0, box.slices}, {0, 1}});
  Bill bill;
  Adjoint::memory (device, job, detectors, setting, {down, box.slices, 0, in.bytes ()}, bill);
  Allotment memory (bill);
  const Monitor monitor;
  Adjoint adjoint (device, monitor, job, detectors, setting, memory);
  adjoint.begin ({0, box.slices});
  adjoint.add (in);
  adjoint.end ();
  adjoint.deliver (out);

  families::RelativeError error;
  forward_project::Rays rays;
  std::vector<float> slice (static_cast<size_t> (box.columns * box.lines));
  for (int64_t z = 0; z < box.slices; z += 3) {
    std::ranges::fill (slice, 0.0F);
    for (size_t i = 0; i < detectors.size (); i++)
      for (int64_t row = 0; row < down; row++) {
        find_rays (box, detectors[i], row, rays);
        spread_row (box, z, in.as<float> () + in.offset (static_cast<int64_t> (i), row), detectors[i], rays,
                    slice.data ());
      }
    for (size_t i = 0; i < slice.size (); i++)
      error.add (static_cast<double> (out.as<float> ()[static_cast<size_t> (out.offset (0, z)) + i]),
                 static_cast<double> (slice[i]));
  }
  return error.value ();
}

} // namespace sino::cone_back_project
