// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-cone-reconstruct/space.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::iterative_cone_reconstruct {

namespace {

constexpr char volumes_item[] = "volumes", projections_item[] = "projections";
constexpr int64_t apart = 16; // floats between arrays, which vectors at the borders of a line may read

// Numbers of volumes and of projections that a method holds.
struct Needs {
  int volumes, projections;
};
constexpr Needs needs_of (Method method)
{
  switch (method) {
  case Method::tv:
    return {7, 2};
  case Method::cgls:
    return {3, 2};
  case Method::os_sart:
  case Method::sirt:
    return {3, 3};
  case Method::iterated_fdk:
    return {2, 2};
  }
  return {};
}

} // namespace

Space::Space (const Problem &p, const Replica &replica)
    : problem (p), scene (p.scene), cpu (replica.cpu), monitor (replica.monitor),
      pair (p.scene, cpu, monitor, replica.memory), volumes (replica.memory.take (volumes_item)),
      projected (replica.memory.take (projections_item))
{
}

void Space::memory (const Problem &problem, int threads, Bill &bill)
{
  const auto needs = needs_of (problem.solving.method);
  const auto &scene = problem.scene;
  const auto bytes = [] (int64_t floats) { return static_cast<size_t> (floats) * sizeof (float); };
  add_pages (bill, volumes_item, bytes (needs.volumes * (scene.voxels () + apart) + apart));
  add_pages (bill, projections_item, bytes (needs.projections * problem.views () * scene.bins ()));
  footprint::Pair::memory (scene, threads, bill);
}

float *Space::volume (int i) const
{
  return volumes.as<float> () + apart + i * (scene.voxels () + apart);
}

float *Space::projections (int i) const
{
  return projected.as<float> () + i * problem.views () * scene.bins ();
}

double Space::residual (const float *x, Interval views, float *rest) const
{
  pair.forward (x, views, rest);
  const float *measured = projections (0) + of_views (views);
  std::vector<double> sums (static_cast<size_t> (views.size ()));
  cpu.parallel (views.size (), 1, [&] (int64_t begin, int64_t end) {
    for (auto v = begin; v < end; v++)
      for (int64_t u = 0; u < scene.columns; u++) {
        const auto first = v * scene.bins () + u * scene.column;
        for (auto i = first; i < first + scene.rows; i++) {
          rest[i] -= measured[i];
          sums[static_cast<size_t> (v)] += static_cast<double> (rest[i]) * static_cast<double> (rest[i]);
        }
        std::fill (rest + first + scene.rows, rest + first + scene.column, 0.0F);
      }
  });
  double sum = 0;
  for (const auto value : sums)
    sum += value;
  return sum;
}

void Space::clear_padding (float *all) const
{
  each_view ([&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i += scene.column)
      std::fill (all + i + scene.rows, all + i + scene.column, 0.0F);
  });
}

void Space::clear (float *values) const
{
  each_line ([&] (int64_t begin, int64_t end) { std::fill (values + begin, values + end, 0.0F); });
}

bool Space::goes_on (Outcome &outcome) const
{
  if (!std::isfinite (outcome.change) || !std::isfinite (outcome.residual))
    fail (
        SINO_ERROR_FAILED,
        "iteration %d has values that are not finite: the projections have values that are too large, or the geometry "
        "is wrong",
        outcome.iterations + 1);
  outcome.iterations++;
  done (outcome);
  return outcome.iterations < problem.solving.iterations && outcome.change >= problem.solving.tolerance;
}

double Space::take_step (float *x, const float *step, float factor, double &square) const
{
  const float least = problem.solving.non_negative ? 0 : -std::numeric_limits<float>::max ();
  std::vector<double> squares (static_cast<size_t> (scene.volume.lines)), changes (squares.size ());
  each_line ([&] (int64_t begin, int64_t end) {
    const auto y = static_cast<size_t> (begin / line_values ());
    for (auto i = begin; i < end; i++) {
      const float now = std::max (x[i] + factor * step[i], least), change = now - x[i];
      changes[y] += static_cast<double> (change) * static_cast<double> (change);
      squares[y] += static_cast<double> (now) * static_cast<double> (now);
      x[i] = now;
    }
  });
  square += std::accumulate (squares.begin (), squares.end (), 0.0);
  return std::accumulate (changes.begin (), changes.end (), 0.0);
}

} // namespace sino::iterative_cone_reconstruct
