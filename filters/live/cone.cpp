// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/cone.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "filters/cone/volume.hpp"
#include "filters/live/ring.hpp"
#include <cmath>
#include <numbers>
#include <numeric>

namespace sino::live {

static constexpr double turn = 2 * std::numbers::pi;

// Takes x, y and row of a plane, in voxels, to the detector.
static Matrix from_voxels (const Matrix &matrix, double voxel, double middle_slice)
{
  Matrix out = matrix;
  for (auto &line : out) {
    for (size_t i = 0; i < 3; i++)
      line[i] *= voxel;
    line[3] -= middle_slice * line[2];
  }
  return out;
}

// Throws if the source moves through a cylinder around the volume.
static void check_source (const Making &making)
{
  const auto &measures = making.measures;
  const double radius = 0.5 * std::sqrt (2.0) * static_cast<double> (measures.width ()) * measures.pixel,
               slices = static_cast<double> (measures.rows - 1);
  for (const auto &sight : making.cones) {
    step_unless_cancelled ();
    const auto &depth = sight.matrix[2];
    const double least = depth[3] + std::min (0.0, slices * depth[2]) - radius * std::hypot (depth[0], depth[1]);
    if (least <= 1e-6)
      fail (SINO_ERROR_BAD_PROPERTY, "the source moves through the volume: give a smaller size or pixel");
  }
}

static void check_size (const Projections &kept)
{
  if (kept.stride () * (kept.rows + 2) >= int64_t{1} << 30)
    fail (SINO_ERROR_BAD_FORMAT,
          "frames of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
          " are too large for planes of a cone or tilted beam: put 'bin' before this node",
          kept.rows, kept.columns);
}

static void settle_window (const Format &in, const cone::Coverage &coverage, bool ring, Keeping &keeping,
                           Making &making)
{
  making.window = in.angles ();
  if (ring) {
    if (coverage.turns == 0 || coverage.helix)
      fail (SINO_ERROR_BAD_FORMAT, "mode=ring of a cone or tilted beam wants whole turns of a circle: give mode=scan");
    making.window = ring_of (in.geometry->angles, turn);
  }
  keeping.places = std::min (making.window + (ring ? 2 * most_at_once : 0), in.angles ());
}

std::vector<std::string> settle_cone (const Format &in, const ConeSettings &settings, Keeping &keeping, Making &making)
{
  Format weighted = in;
  std::shared_ptr<const cone::Weighing> weighing;
  if (settings.weighs)
    weighing = std::make_shared<const cone::Weighing> (weighted, settings.offset);
  const auto views = cone::views_of (weighted);
  const auto coverage = cone::coverage_of (weighted, views);
  const double voxel = cone::usual_voxel (views[0]);
  keeping.weighing = weighing;
  keeping.projections.columns = weighted.extent (Axis::column);
  check_size (keeping.projections);
  settle_window (in, coverage, settings.ring, keeping, making);
  auto &measures = making.measures;
  measures.columns = keeping.projections.columns;
  measures.slices = {Axis::z, measures.rows};
  measures.rows_apart = 1;

  // A ring holds one of the turns.
  const double share = settings.ring ? coverage.turns : 1,
               before = settings.ramp ? 1 : in.geometry->pixel_size.value_or (1);
  std::vector<double> weights;
  double axis = 0;
  for (size_t k = 0; k < views.size (); k++) {
    step_unless_cancelled ();
    const auto number = static_cast<int64_t> (k);
    const auto matrix = matrix_of (views[k]);
    making.cones.push_back ({.place = number % keeping.places,
                             .number = number,
                             .matrix = from_voxels (matrix, voxel, 0.5 * static_cast<double> (measures.rows - 1)),
                             .factor = 1});
    weights.push_back (share * before * coverage.steps[k] * cone::density_of (views[k]));
    axis += matrix[0][3] / matrix[2][3];
  }
  check_source (making);
  const auto n = static_cast<double> (views.size ());
  const double mean = std::accumulate (weights.begin (), weights.end (), 0.0) / n;
  making.axis = axis / n;
  making.scale = static_cast<float> (mean);
  for (const auto weight : weights)
    keeping.weights.push_back (static_cast<float> (weight / mean));
  if (coverage.helix)
    making.turns = [coverage, voxel, n = in.angles (), middle = 0.5 * static_cast<double> (measures.rows - 1)] (
                       double slice) { return cone::turn_around ((slice - middle) * voxel, coverage, n); };
  return weighing ? weighing->notes () : std::vector<std::string> ();
}

} // namespace sino::live
