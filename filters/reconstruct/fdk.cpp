// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/reconstruct/fdk.hpp"
#include "filters/cone-back-project/speed.hpp"
#include "filters/cone/scan.hpp"
#include "filters/reconstruct/device.hpp"
#include <cmath>
#include <numbers>

namespace sino::reconstruct {

namespace {

// The whole of slices; the wanted ones of them.
kernels::Volume volume_of (const Format &in, const cone::VolumeSettings &settings, const View &view)
{
  const auto size = settings.size > 0 ? settings.size : in.extent (Axis::column),
             slices = settings.slices > 0 ? settings.slices : in.rows ();
  const cone::Part across{size, 0, size};
  return cone::volume_of (settings.voxel_size > 0 ? settings.voxel_size : cone::usual_voxel (view), across, across,
                          cone::part ("roi-z", settings.roi_z, "roi-depth", settings.roi_depth, slices));
}

} // namespace

double fdk_seconds (const Format &in, const cone::VolumeSettings &settings, const Site &site)
{
  const auto views = cone::views_of (in);
  const auto coverage = cone::coverage_of (in, views);
  cone_back_project::Job job{.projections = {},
                             .volume = volume_of (in, settings, views[0]),
                             .columns = in.extent (Axis::column),
                             .rows = in.rows (),
                             .radius = HUGE_VAL};
  for (const auto &view : views)
    job.projections.push_back ({matrix_of (view), 1});
  const auto all = static_cast<double> (views.size ());
  const double used = coverage.helix ? std::min (all, 2 * std::numbers::pi / std::abs (coverage.step)) : all;
  const bool fast = !coverage.helix && cone_back_project::steepest (job) <= cone_back_project::most_steepest;
  const auto &volume = job.volume;
  const double updates = static_cast<double> (volume.columns * volume.lines * volume.slices) * used;
  const Work rows{
      .columns = job.columns, .projections = std::ssize (views), .slices = job.rows, .pixels = 0, .kernel_width = 0};
  return filter_seconds (rows, machine_of (site.device, site.threads, rows)) +
         updates / cone_back_project::updates_per_second (site.device, site.threads, fast,
                                                          cone_back_project::Precision::single);
}

} // namespace sino::reconstruct
