// SPDX-License-Identifier: LGPL-3.0-or-later
// Selects the instruction set at run time. Each one has object files of its own: see meson.build.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/single-slice/native/dispatch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/complex-inl.hpp"
#include "kernels/single-slice/stages.hpp"

namespace sino::single_slice::HWY_NAMESPACE {

int64_t transform_rows (const RowPlan &, const float *, int64_t, float *, float *);
void spread_band (const LevelPlan &, const Terms &, int64_t, float *);
void transform_columns (const LevelPlan &, int64_t, float *, float *);
void store_rows (const LevelPlan &, int64_t, float *, float *, float *);

static int vector_lanes ()
{
  return HWY_TARGET == HWY_SCALAR ? 0 : fourier_reconstruct::HWY_NAMESPACE::lanes;
}

} // namespace sino::single_slice::HWY_NAMESPACE

#if HWY_ONCE
namespace sino::single_slice {

HWY_EXPORT (transform_rows);
HWY_EXPORT (spread_band);
HWY_EXPORT (transform_columns);
HWY_EXPORT (store_rows);
HWY_EXPORT (vector_lanes);

int vector_lanes ()
{
  return HWY_DYNAMIC_DISPATCH (vector_lanes) ();
}

int64_t transform_rows (const RowPlan &rows, const float *sinogram, int64_t count, float *spectra, float *work)
{
  return HWY_DYNAMIC_DISPATCH (transform_rows) (rows, sinogram, count, spectra, work);
}

void spread_band (const LevelPlan &level, const Terms &terms, int64_t band, float *grid)
{
  HWY_DYNAMIC_DISPATCH (spread_band) (level, terms, band, grid);
}

void transform_columns (const LevelPlan &level, int64_t group, float *grid, float *work)
{
  HWY_DYNAMIC_DISPATCH (transform_columns) (level, group, grid, work);
}

int64_t column_groups (const LevelPlan &level)
{
  return divide_up (2 * level.grid.columns (), int64_t{vector_lanes ()});
}

void store_rows (const LevelPlan &level, int64_t group, float *grid, float *slice, float *work)
{
  HWY_DYNAMIC_DISPATCH (store_rows) (level, group, grid, slice, work);
}

} // namespace sino::single_slice
#endif
