// SPDX-License-Identifier: LGPL-3.0-or-later
// All kernels of remove-stripes, for whole sinograms that lie on the device with any lanes.
//
//   -DGROUP=n    work-items that sort a column, or look at the columns of a sinogram: a power of two
//   -DSEGMENT=n  columns over which a work-item slides its window
//   -DANGLES=n   angles of which a work-item adds up the fluctuations
#include "keys.cl"
#include "columns.cl"
#include "medians.cl"
#include "sort.cl"
#include "detect.cl"
