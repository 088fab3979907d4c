// SPDX-License-Identifier: LGPL-3.0-or-later
// The noise of a detector's counts, which its darks and flats show. It travels with the values that were made of them.
#pragma once
#include "stream/frames.hpp"

namespace sino {

// A row of the detector. Variances of a single value of a flat, relative to the square of the flat's mean.
struct RowNoise {
  double photons = 0; // falls with the brightness
  double readout = 0; // is there without light, too
  // The share of the variance that remains when neighbours are subtracted from one another, as fourth differences do: 1
  // if they have nothing in common, less if light spreads. 0: nothing is known of the row.
  double fine = 0;
};

class SINO_VISIBLE CountNoise
{
public:
  virtual ~CountNoise ();

  int64_t flats = 0; // number of flats that the values were divided by
  size_t bytes = 0;  // memory that of_row () takes

  // `number`: of the row in the scan, Dim::number (). The first call reads frames. Any thread may call it.
  virtual RowNoise of_row (int64_t number, const Frames::Watch &watch) const = 0;
};

} // namespace sino
