// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the axis of a sinogram from the fact that its second half turn is the mirror image of the first.
//
// Let P[t, k] be the Fourier transform of row t along the columns. Its mirror image about column s / 2 has the
// transform conj (P[t, k]) exp (-i k s). Two ways to compare:
//
// opposites: rows t and t + half a turn are mirror images, so the sum over t of P[t, k] P[t + half, k] has the phase k
// s.
//
// wedge: half a turn, followed by its mirror image, is periodic and smooth in t. Over a full turn, an object of radius
// R has only the harmonics |v| < R k of t (the double wedge of Vo et al. 2014, Optics Express 22, 19078). Outside of
// it, the transforms A[v, k] of the first half and (-1)^v conj (A[-v, k]) exp (-i k s) of the second half must cancel.
// The sum of products over v depends on k alone, so one more transform gives the match for all s at once, to a fraction
// of a column.
//
// Columns without a mirror image on the detector are ignored: only those up to the nearer border count, with a window
// that is symmetric about the axis. The axis is estimated first, and improved in each round.
#pragma once
#include "device/bill.hpp"
#include "filters/find-axis/guesses.hpp"
#include <span>

namespace sino::find_axis {

// The rows of a turn in bins, and the searches in them.
class Mirrors
{
public:
  // `memory`: as many bytes as pages () says.
  Mirrors (const Turn &turn, int64_t columns, std::byte *memory, const Cpu &cpu);

  // Takes the sinogram to search in, whose rows are in the order of the angles.
  void take (const float *sinogram) const;
  // The axis of this sinogram; empty if all values are equal.
  std::optional<Match> find (Method method) const;

  static size_t pages (const Turn &turn, int64_t columns);
  // Other memory of searches in `together` sinograms.
  static void memory (const Turn &turn, int64_t columns, int threads, size_t together, Bill &bill);

private:
  const Turn &turn;
  const int64_t columns, number;
  const Level coarse, fine;
  const Cpu &cpu;
  float *few, *all; // rows in bins of the two levels
  Complex *spectra;

  std::vector<float> means (const Level &level, const float *rows) const;
};

} // namespace sino::find_axis
