// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory of a solution, the pair of projection and back-projection, and what all methods do with them.
#pragma once
#include "filters/iterative-cone-reconstruct/report.hpp"
#include "kernels/footprint/pair.hpp"
#include <functional>
#include <numeric>

namespace sino::iterative_cone_reconstruct {

class Space
{
public:
  Space (const Problem &problem, const Replica &replica);

  static void memory (const Problem &problem, int threads, Bill &bill);

  const Problem &problem;
  const footprint::Scene &scene;
  const Cpu &cpu;
  const Monitor &monitor;
  const footprint::Pair pair;
  // What projections were multiplied by, a power of 2 that brings them near 1: squares of floats have a small range.
  float scale = 1;
  std::function<void (const Outcome &)> done = [] (const Outcome &) {}; // called after each iteration

  // Volumes, 0 at first. Volume 0 holds the result.
  float *volume (int i) const;
  // All projections in the order of the scene's views: 0 holds what was measured.
  float *projections (int i) const;
  Interval all_views () const { return {0, problem.views ()}; }
  int64_t of_views (Interval views) const { return views.begin * scene.bins (); } // where they begin in projections

  // Sets `rest` to A x - b for some views; returns the sum of squares.
  double residual (const float *x, Interval views, float *rest) const;

  // Sets the padding of all columns to 0.
  void clear_padding (float *projections) const;
  void clear (float *volume) const;
  // x += factor * step, and values below 0 become 0 if the problem says so; adds |x|^2 to `square` and returns the
  // square of the change.
  double take_step (float *x, const float *step, float factor, double &square) const;

  // To be called at the end of an iteration: counts it, calls `done`, and returns whether
  // another one follows.
  bool goes_on (Outcome &outcome) const;

  // Calls body (begin, end) for ranges of a volume, or of all projections: each a line of all slices, or a projection.
  template <class Body> void each_line (Body body) const { each (scene.volume.lines, line_values (), body); }
  template <class Body> void each_view (Body body) const { each (problem.views (), scene.bins (), body); }
  // Sums of values (i), added in the same order for any number of threads.
  template <class Value> double sum_of_volume (Value value) const
  {
    return sum (scene.volume.lines, line_values (), value);
  }
  template <class Value> double sum_of_projections (Value value) const
  {
    return sum (problem.views (), scene.bins (), value);
  }
  int64_t line_values () const { return scene.volume.columns * scene.line; } // floats of a line of all slices

  // The sum of squares of all projections.
  double square_of (const float *all) const
  {
    return sum_of_projections (
        [all] (int64_t i) { return static_cast<double> (all[i]) * static_cast<double> (all[i]); });
  }

private:
  Allotment::Piece volumes, projected;

  template <class Body> void each (int64_t parts, int64_t values, Body body) const
  {
    cpu.parallel (parts, 1, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++) {
        monitor.check ();
        body (i * values, (i + 1) * values);
      }
    });
  }
  template <class Value> double sum (int64_t parts, int64_t values, Value value) const
  {
    std::vector<double> sums (static_cast<size_t> (parts));
    each (parts, values, [&] (int64_t begin, int64_t end) {
      double own = 0;
      for (auto i = begin; i < end; i++)
        own += value (i);
      sums[static_cast<size_t> (begin / values)] = own;
    });
    return std::accumulate (sums.begin (), sums.end (), 0.0);
  }
};

// The methods.
Outcome solve_tv (Space &space, double noise);
Outcome solve_cgls (Space &space);
Outcome solve_sart (Space &space); // also sirt, which has one subset
Outcome solve_fdk (Space &space);

} // namespace sino::iterative_cone_reconstruct
