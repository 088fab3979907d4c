// SPDX-License-Identifier: LGPL-3.0-or-later
// Gridding in stages, for several slices at once. Between these stages the lines in `lines` are transformed, either by
// transform.cl, which also crops and stores, or by clFFT:
//
//   lay     rows of sinograms, padded                           -> lines: transformed to frequencies
//   weigh   terms of rays from their frequencies                -> terms
//   spread  the terms of all rays over some columns of the grid -> lines: transformed along y
//   crop    rows of the region                                  -> kept
//   gather  some rows of the region                             -> lines: transformed along x
//   store   columns of the region                               -> slices
//
// gridding.hpp defines the computation. Columns of the grid are contiguous, so the last transforms give rows of slices.
// `lines` fits the cache of a device; transforms have few sizes, so few are compiled. OpenCL C 1.2.
//
//   -DLANES=n       rows side by side in the sinograms
//   -DSLICES=n      slices that are processed at once, two in each complex value: 2, 4, 8 or 16
//   -DWIDTH=n       cells in a row that a term touches
//   -DEDGE          rows are padded with their last and first values, else with zeros
//   -DHALVES        terms are stored as half
//   -DMASK          pixels with the centre outside the inscribed circle of the full slice are 0
#include "values.cl"
#include "rows.cl"
#include "spread.cl"
#include "places.cl"
#include "slices.cl"
