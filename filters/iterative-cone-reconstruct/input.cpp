// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/input.hpp"
#include "base/error.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "kernels/iterate/noise.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>

namespace sino::iterative_cone_reconstruct {

namespace {

constexpr int64_t noise_rows = 16;

double root_mean_square (const Space &space)
{
  return std::sqrt (space.square_of (space.projections (0)) /
                    static_cast<double> (space.problem.views () * space.scene.columns * space.scene.rows));
}

} // namespace

void put (const Space &space, const Block &block)
{
  const auto &scene = space.scene;
  std::vector<int64_t> places (space.problem.order.size ()); // of projections in the order of the views
  for (size_t v = 0; v < places.size (); v++)
    places[static_cast<size_t> (space.problem.order[v])] = static_cast<int64_t> (v);
  std::atomic<bool> broken = false;
  space.cpu.parallel (block.angles ().size (), 1, [&] (int64_t begin, int64_t end) {
    for (auto a = begin; a < end; a++) {
      space.monitor.check ();
      float *const to = space.projections (0) + places[static_cast<size_t> (block.angles ().at (a))] * scene.bins ();
      bool finite = true;
      for (int64_t r = 0; r < block.rows ().size (); r++) {
        const float *from = block.as<float> () + block.offset (a, r);
        for (int64_t u = 0; u < scene.columns; u++) {
          finite = finite && std::isfinite (from[u]);
          to[u * scene.column + block.rows ().at (r)] = from[u];
        }
      }
      if (!finite)
        broken = true;
    }
  });
  if (broken)
    fail (SINO_ERROR_BAD_FORMAT,
          "projections have values that are not finite, and each would reach the whole volume: put 'fill-holes' before "
          "this node");
}

void scale (Space &space)
{
  const double root = root_mean_square (space);
  if (!(root > 0))
    return;
  space.scale = static_cast<float> (std::exp2 (-std::clamp (std::ilogb (root), -120, 120)));
  space.each_view ([&space, b = space.projections (0)] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++)
      b[i] *= space.scale;
  });
}

FoundNoise noise_of (const Space &space, const Format &projections, const Frames::Watch &watch)
{
  const auto &problem = space.problem;
  const auto &scene = space.scene;
  const double least = iterate::least_noise * root_mean_square (space);
  if (problem.solving.noise)
    return {std::max (*problem.solving.noise * static_cast<double> (space.scale), least), "given"};

  // rows side by side, as sinograms in the order of the scan
  const auto rows = std::min (noise_rows, scene.rows);
  std::vector<int64_t> places;
  for (int64_t r = 0; r < rows; r++)
    places.push_back ((2 * r + 1) * scene.rows / (2 * rows));
  auto known = iterative_reconstruct::known_noise (projections, places, watch);
  for (auto &value : known)
    value.unit = 1 / static_cast<double> (space.scale);
  std::vector<float> sinograms (static_cast<size_t> (problem.views () * scene.columns * rows));
  for (int64_t v = 0; v < problem.views (); v++) {
    const float *from = space.projections (0) + v * scene.bins ();
    float *to = sinograms.data () + problem.order[static_cast<size_t> (v)] * scene.columns * rows;
    for (int64_t u = 0; u < scene.columns; u++)
      for (int64_t r = 0; r < rows; r++)
        to[u * rows + r] = from[u * scene.column + places[static_cast<size_t> (r)]];
  }
  const auto lanes = static_cast<int> (rows);
  const iterate::Sinograms all{.values = sinograms.data (),
                               .angles = problem.views (),
                               .columns = scene.columns,
                               .stride = rows,
                               .lanes = lanes,
                               .known = known};
  const iterate::NoiseBlocks blocks (all);
  std::vector<float> squares (static_cast<size_t> (blocks.count () * rows) * iterate::results_of_block);
  space.cpu.parallel (blocks.count (), 8, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++)
      iterate::noise_of_block (all, blocks, i,
                               squares.data () + static_cast<size_t> (i * rows) * iterate::results_of_block);
  });
  const auto found = iterate::noise_of (squares, all, 0, lanes);
  return {std::max (found.deviation, least), found.is_from_counts ? "from the flats" : "from differences"};
}

void fill (const Space &space, Block &block)
{
  const auto &scene = space.scene;
  const auto &volume = scene.volume;
  const auto factor = static_cast<float> (1 / (space.problem.voxel * static_cast<double> (space.scale)));
  const float least = space.problem.solving.non_negative ? 0 : -std::numeric_limits<float>::max ();
  space.each_line ([&] (int64_t begin, int64_t) {
    const auto y = begin / space.line_values ();
    const auto inside = scene.inside[static_cast<size_t> (y)];
    for (int64_t i = 0; i < block.rows ().size (); i++) {
      const auto z = block.rows ().at (i) + space.problem.slices.begin;
      float *const to = block.as<float> () + block.offset (0, i) + y * volume.columns;
      for (int64_t x = 0; x < volume.columns; x++)
        to[x] = x >= inside.begin && x < inside.end
                    ? std::max (space.volume (0)[begin + x * scene.line + z], least) * factor
                    : 0;
    }
  });
}

} // namespace sino::iterative_cone_reconstruct
