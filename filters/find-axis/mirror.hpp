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
#include "filters/find-axis/guesses.hpp"

namespace sino::find_axis {

// Returns the axis of a sinogram with `columns` columns, whose rows are in the order of the turn. Empty if all values
// are equal.
std::optional<Match> find_mirror (const Turn &turn, int64_t columns, Method method, const float *rows, const Cpu &cpu);
size_t mirror_bytes (const Turn &turn, int64_t columns, int threads);

} // namespace sino::find_axis
