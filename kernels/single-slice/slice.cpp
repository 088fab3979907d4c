// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/single-slice/slice.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::single_slice {
using std::numbers::pi;

namespace {

constexpr char spectra_item[] = "transforms of rows", cells_item[] = "grid", work_item[] = "lines";

int64_t padded_for (const Problem &problem)
{
  return fourier_reconstruct::padded_for (problem.columns, problem.rays);
}

// A ray and its opposite have the same terms, conjugated.
Turn turn_for (const Ray &ray, int64_t row, double cells, double angle)
{
  const bool round = ray.cos < 0;
  Turn turn{.row = row,
            .dx = cells * std::abs (ray.cos),
            .dy = cells * (round ? ray.sin : -ray.sin),
            .angle = round ? -angle : angle,
            .sign = round ? -1.0F : 1.0F,
            .weight = ray.weight};
  for (int i = 0; i <= Turn::last_power; i++) {
    turn.powers[2 * i] = static_cast<float> (std::cos (i * turn.angle));
    turn.powers[2 * i + 1] = static_cast<float> (std::sin (i * turn.angle));
  }
  return turn;
}

// What the mean of `step` pixels multiplies a frequency by.
double mean_of (int64_t step, double frequency)
{
  const auto n = static_cast<double> (step), x = pi * frequency;
  return x > 0 ? std::sin (n * x) / (n * std::sin (x)) : 1;
}

} // namespace

bool can_make (int64_t columns)
{
  return vector_lanes () > 0 && oversampling * static_cast<double> (columns) <= fourier_reconstruct::longest_fft;
}

Slice::Slice (const Problem &p, const Cpu &c)
    : problem (p), cpu (c), rows (p.columns, padded_for (p), p.edge), ramp (static_cast<size_t> (rows.terms ())),
      allotment (memory (p, c)), spectra (allotment.take (spectra_item)), cells (allotment.take (cells_item))
{
  const ramp_filter::Ramp of_rows (rows.padded);
  cpu.parallel (rows.terms (), 64, [&] (int64_t begin, int64_t end) {
    for (auto k = begin; k < end; k++)
      ramp[static_cast<size_t> (k)] = of_rows.at (k);
  });
}

Bill Slice::memory (const Problem &problem, const Cpu &cpu)
{
  const RowPlan rows (problem.columns, padded_for (problem), problem.edge);
  const Grid grid (problem.columns);
  const auto lanes = vector_lanes ();
  const auto bytes = [] (int64_t floats) { return static_cast<size_t> (floats) * sizeof (float); };
  Bill bill;
  add_pages (bill, spectra_item, bytes (2 * rows.stride () * std::ssize (problem.rays)));
  add_pages (bill, cells_item, bytes (2 * grid.cells ()));
  add_pages (bill, work_item, bytes (std::max (rows.work (lanes), grid.work (lanes))),
             static_cast<size_t> (cpu.threads ()));
  return bill;
}

template <class Body> void Slice::each (int64_t n, int64_t grain, Body body)
{
  cpu.parallel (n, grain, [&] (int64_t begin, int64_t end) {
    const auto work = allotment.take (work_item);
    for (auto i = begin; i < end; i++)
      body (i, work.as<float> ());
  });
}

int64_t Slice::take (const float *sinogram)
{
  const int64_t lanes = vector_lanes (), count = std::ssize (problem.rays);
  std::atomic<int64_t> broken = 0;
  each (divide_up (count, lanes), 1, [&] (int64_t group, float *work) {
    const auto first = group * lanes;
    broken += transform_rows (rows, sinogram + first * rows.columns, std::min (lanes, count - first),
                              spectra.as<float> () + 2 * first * rows.stride (), work);
  });
  return broken;
}

const LevelPlan &Slice::level_plan (int level)
{
  auto &plan = levels[level];
  if (!plan)
    plan.emplace (problem.columns, rows.padded, level);
  return *plan;
}

std::vector<Turn> Slice::turns_for (const LevelPlan &level, double shift) const
{
  auto moved = problem.rays;
  for (auto &ray : moved)
    ray.origin += shift;
  if (fourier_reconstruct::least_padding (problem.columns, moved) > rows.padded)
    fail (SINO_ERROR_BAD_PROPERTY,
          "the axis lies too far outside of the detector for this picture: it must lie less than 0.29 times the "
          "detector's width beyond its ends");
  std::vector<Turn> turns (moved.size ());
  const auto whole = 2 * pi / static_cast<double> (rows.padded),
             middle = static_cast<double> (level.step) * level.shift;
  cpu.parallel (std::ssize (moved), 64, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++) {
      const auto &ray = moved[static_cast<size_t> (i)];
      const auto angle = whole * (ray.origin + middle * (ray.cos - ray.sin));
      turns[static_cast<size_t> (i)] = turn_for (ray, i, level.gridding.scale (), angle);
    }
  });
  std::ranges::stable_sort (turns, {}, &Turn::dy); // neighbours share cells
  return turns;
}

// Frequencies that a filter leaves out at the end need no terms.
std::vector<float> Slice::factors_for (const LevelPlan &level, const Filter &filter) const
{
  std::vector<float> factors;
  size_t used = 0;
  const auto last = level.gridding.padded / 2;
  for (int64_t k = 0; k <= last; k++) {
    const auto response = fourier_reconstruct::response_at (filter, rows.padded, k, ramp[static_cast<size_t> (k)]) *
                          mean_of (level.step, static_cast<double> (k) / static_cast<double> (rows.padded)) *
                          (k == 0 || k == last ? 0.5 : 1.0);
    factors.insert (factors.end (), 2, static_cast<float> (response));
    if (factors.back () != 0)
      used = factors.size ();
  }
  factors.resize (used);
  return factors;
}

void Slice::make (const View &view, float *slice)
{
  const auto &level = level_plan (view.level);
  const auto turns = turns_for (level, view.shift);
  const auto factors = factors_for (level, view.filter);
  const Terms terms{spectra.as<float> (), rows.stride (), turns, factors};
  float *const values = cells.as<float> ();
  for (int odd = 0; odd < 2; odd++)
    cpu.parallel ((level.grid.bands () + 1 - odd) / 2, 1, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        spread_band (level, terms, 2 * i + odd, values);
    });
  each (column_groups (level), 1, [&] (int64_t group, float *work) { transform_columns (level, group, values, work); });
  each (divide_up (level.grid.size, int64_t{vector_lanes ()}), 1,
        [&] (int64_t group, float *work) { store_rows (level, group, values, slice, work); });
}

} // namespace sino::single_slice
