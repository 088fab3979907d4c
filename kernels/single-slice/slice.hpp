// SPDX-License-Identifier: LGPL-3.0-or-later
// One slice for the screen, again and again with another rotation axis or window.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "kernels/single-slice/stages.hpp"
#include <optional>

namespace sino::single_slice {

using fourier_reconstruct::Filter;

struct Problem {
  int64_t columns;
  std::vector<Ray> rays; // of the rows of the sinogram; the origins may differ
  bool edge = false;     // rows are padded with their first and last values, else with zeros
};

struct View {
  Filter filter;
  double shift = 0; // added to the origins of all rays: the axis is moved by so many columns
  int level = 0;    // 0 .. last_level
};

constexpr int last_level = 3;

// Whether this CPU can, for rows of so many columns.
bool can_make (int64_t columns);

// One call at a time. For CPUs and rows that can_make () allows.
class Slice : NoCopy
{
public:
  // Throws Error for more than 10922 columns.
  Slice (const Problem &problem, const Cpu &cpu);

  // All memory of an object.
  static Bill memory (const Problem &problem, const Cpu &cpu);

  // Columns and rows of a level: columns / 2^level, rounded up.
  int64_t size (int level) const { return divide_up (problem.columns, int64_t{1} << level); }

  // Transforms the rows of a sinogram, [ray][column], which is not needed afterwards. Rows with a value that is not
  // finite count as 0. Returns their number.
  int64_t take (const float *sinogram);

  // Makes size (level)^2 pixels of the slice, dense. Those of level 0 are the pixels of fourier-reconstruct.
  //
  // Pixel (i, j) of level L lies at the centre of 2^L x 2^L pixels. It is nearly their mean: frequencies are multiplied
  // by what a mean along the frequency does to them, and those that the level cannot show are left out.
  //
  // Throws Error if a ray sees the middle of the slice so far outside of the detector that the slice would contain the
  // next period of its row: from 0.29 times the columns beyond either end on.
  void make (const View &view, float *slice);

private:
  const Problem problem;
  const Cpu &cpu;
  const RowPlan rows;
  std::vector<double> ramp;
  std::optional<LevelPlan> levels[last_level + 1];
  Allotment allotment;
  const Allotment::Piece spectra, cells;

  const LevelPlan &level_plan (int level);
  std::vector<Turn> turns_for (const LevelPlan &level, double shift) const;
  std::vector<float> factors_for (const LevelPlan &level, const Filter &filter) const;
  template <class Body> void each (int64_t n, int64_t grain, Body body);
};

} // namespace sino::single_slice
