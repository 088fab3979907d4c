// SPDX-License-Identifier: LGPL-3.0-or-later
// The axis of a sinogram, from the fact that its second half turn is the mirror image of the first.
//
// With P[t, k] the Fourier transform of row t along the columns, the mirror image about column s / 2 has the transform
// conj (P[t, k]) exp (-i k s). Two ways of comparing:
//
// opposites: rows t and t + half a turn are mirror images, so sum over t of P[t, k] P[t + half, k] has the phase k s.
//
// wedge: half a turn and its mirror image, one after the other, are periodic and smooth in t. What an object of radius
// R gives of a whole turn has the harmonics |v| < R k of t only (the double wedge of Vo et al. 2014, Optics Express 22,
// 19078); outside of it the transforms A[v, k] of the first half and (-1)^v conj (A[-v, k]) exp (-i k s) of the second
// one have to cancel. The sum of products over v is a function of k alone, so that one more transform gives the match
// for all s at once, to any part of a column.
//
// What is beyond the detector on one side has no mirror image. So only columns up to the nearer border are looked at,
// faded out alike to both sides of the axis, which is guessed first and better each time.
#pragma once
#include "filters/find-axis/guesses.hpp"

namespace sino::find_axis {

// For sinograms of so many columns.
class MirrorSearch
{
public:
  MirrorSearch (const Turn &turn, int64_t columns);

  // The sinogram: rows of the turn in order. Nothing, where all of it is alike.
  std::optional<Match> find (Method method, const float *rows, const Cpu &cpu);

  static size_t bytes (const Turn &turn, int64_t columns, int threads);

private:
  const Turn &turn;
  int64_t columns;
};

} // namespace sino::find_axis
