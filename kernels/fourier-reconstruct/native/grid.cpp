// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes slices from the grid of frequencies: transforms along lines, then across them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fourier-reconstruct/native/grid.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/fourier-reconstruct/native/fft-inl.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include "kernels/interleave/interleave.hpp"
#include <cmath>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::fourier_reconstruct::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR // never called: stack_lanes () is 0
void add_centres (const StackPlan &, const Memory &, int64_t) {}
void transform_line (const StackPlan &, const Memory &, int64_t, float *) {}
void store_rows (const StackPlan &, const Memory &, int64_t, std::span<float *const>, float *) {}
#else

HWY_INLINE void add_to (float *to, const float *from, int64_t vectors)
{
  for (int64_t i = 0; i < vectors * lanes; i += lanes)
    hn::Store (hn::Add (load (to + i), load (from + i)), Tag (), to + i);
}

HWY_INLINE void clear (float *values, int64_t vectors)
{
  for (int64_t i = 0; i < vectors * lanes; i += lanes)
    hn::Store (hn::Zero (Tag ()), Tag (), values + i);
}

void add_centres (const StackPlan &stack, const Memory &memory, int64_t line)
{
  const auto size = stack.centre_size, corner = stack.gridding.grid / 2 + margin - size / 2;
  float *to = memory.grid + ((corner + line) * stack.line_stride + corner) * lanes;
  for (int sector = 0; sector < stack.sectors (); sector++) {
    float *from = memory.centres + (sector * size + line) * size * lanes;
    add_to (to, from, size);
    clear (from, size);
  }
}

// Range of the cells in a line that may differ from 0, in memory, including margins.
struct Cells {
  int64_t begin, end;
};

HWY_INLINE Cells cells_of (const StackPlan &stack, int64_t line)
{
  const auto half = stack.gridding.grid / 2 + margin, extent = stack.extent (line - half);
  return {half - extent > 0 ? half - extent : 0, half + extent + 1 < 2 * half ? half + extent + 1 : 2 * half};
}

// The grid is periodic: adds cells beyond its sides to the opposite side. Afterwards the cells inside are complete.
HWY_INLINE Cells fold_into (const StackPlan &stack, float *grid, int64_t line)
{
  const auto g = stack.gridding.grid;
  float *const cells = grid + line * stack.line_stride * lanes;
  auto used = cells_of (stack, line);
  const auto beyond = line < 2 * margin ? line + g : line >= g ? line - g : -1;
  if (beyond >= 0) {
    float *const other = grid + beyond * stack.line_stride * lanes;
    const auto also = cells_of (stack, beyond);
    add_to (cells + also.begin * lanes, other + also.begin * lanes, also.end - also.begin);
    clear (other + also.begin * lanes, also.end - also.begin);
    used = {used.begin < also.begin ? used.begin : also.begin, used.end > also.end ? used.end : also.end};
  }
  if (used.begin < margin || used.end > g + margin) {
    add_to (cells + g * lanes, cells, margin);
    add_to (cells + margin * lanes, cells + (g + margin) * lanes, margin);
    used = {0, g + 2 * margin};
  }
  return used;
}

// 5 G log2 G operations. Values outside the slice are dropped; the others are written to memory bypassing the caches:
// [group of rows][line][row of the group].
void transform_line (const StackPlan &stack, const Memory &memory, int64_t line, float *work)
{
  const auto &g = stack.gridding;
  const auto &roi = stack.job.roi;
  const auto used = fold_into (stack, memory.grid, line + margin);
  float *const cells = memory.grid + ((line + margin) * stack.line_stride + margin) * lanes;
  const auto begin = static_cast<int> (used.begin - margin), end = static_cast<int> (used.end - margin);
  float *const to = memory.lines + line * rows_together * lanes;
  transform (
      stack.grid_fft, work,
      [&] (int j) {
        if (j < begin || j >= end)
          return hn::Zero (Tag ());
        const float *cell = cells + static_cast<int64_t> (j) * lanes;
        hwy::Prefetch (cell + stack.line_stride * lanes); // a cell of the next line
        return load (cell);
      },
      [&] (int k, Value v) {
        const auto row = g.pixel_of (k) - roi.y;
        if (row >= 0 && row < roi.height)
          hn::Stream (v, Tag (), to + (row / rows_together * g.grid * rows_together + row % rows_together) * lanes);
      });
  hwy::FlushStream ();
  clear (cells + static_cast<int64_t> (begin) * lanes, end - begin);
}

// Another 5 G log2 G operations per row; then lanes are separated into slices.
void store_rows (const StackPlan &stack, const Memory &memory, int64_t group, std::span<float *const> slices,
                 float *work)
{
  const auto &g = stack.gridding;
  const auto &roi = stack.job.roi;
  float *const row = work + stack.grid_fft.scratch () * lanes, *const unwanted = row + roi.width * lanes;
  const float *from = memory.lines + group * rows_together * g.grid * lanes;
  const int64_t next = rows_together * (g.grid - 1) * lanes + lanes;
  for (int64_t y = group * rows_together; y < (group + 1) * rows_together && y < roi.height; y++, from += lanes) {
    const float factor = g.correction[static_cast<size_t> (roi.y + y)];
    transform (
        stack.grid_fft, work,
        [&] (int j) {
          const float *value = from + j * rows_together * lanes;
          hwy::Prefetch (value + (y % rows_together + 1 < rows_together ? lanes : next)); // a value of the next row
          return load (value);
        },
        [&] (int k, Value v) {
          const auto pixel = g.pixel_of (k), x = pixel - roi.x;
          if (pixel >= 0 && x >= 0 && x < roi.width)
            hn::Store (hn::Mul (v, real (factor * g.correction[static_cast<size_t> (pixel)])), Tag (), row + x * lanes);
        });
    if (stack.job.mask)
      for (int64_t x = 0; x < roi.width; x++)
        if (!back_project::in_circle (g.size, roi.x + x, roi.y + y))
          clear (row + x * lanes, 1);
    float *rows[lanes];
    for (size_t lane = 0; lane < lanes; lane++)
      rows[lane] = lane < slices.size () && slices[lane] ? slices[lane] + y * roi.width : unwanted;
    const auto broken = memory.broken->load ();
    for (int64_t x = 0; broken && x < roi.width; x++)
      for (int lane = 0; lane < lanes; lane++)
        if (broken >> lane & 1 && !(stack.job.mask && !back_project::in_circle (g.size, roi.x + x, roi.y + y)))
          row[x * lanes + lane] = NAN;
    interleave::take_apart (lanes, row, roi.width, rows, true);
  }
}

#endif

} // namespace sino::fourier_reconstruct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#endif
