// SPDX-License-Identifier: LGPL-3.0-or-later
// Iterative reconstruction of slices of a parallel beam on the CPU, for a stack of slices in lanes.
//
// With T = A^T A / projections and c = A^T b / projections, two problems are solved inside a circle:
//
//   TV:    minimise x.T x / 2 - c.x + lambda TV (x), on request with x >= 0; in two dimensions for each slice, or in
//          three for the slices of several stacks
//   CGLS:  T x = c by preconditioned conjugate gradients
//
// T is a convolution over 2 n x 2 n. A transform of n values and n zeros has as even frequencies a transform of length
// n, as odd ones that of x_j e^(i pi j / n). So nothing of size 2 n x 2 n exists: what a column needs for its
// transforms, the product and the transforms back stays in the second cache. The metric, which divides gradients by
// about T, is a convolution over n x n.
//
// Work is cut into stages. All parts of a stage, rows or groups of columns, can be done at once and in any order; a
// stage begins when the one before has ended. Sums are kept per row and added in the order of rows. So results depend
// neither on the number of threads nor on slices in other pairs of lanes: lanes 2 i and 2 i + 1 share complex values.
//
//   T x:   lay, convolve, take
//   TV:    begin_tv; for each iteration lay_duals, convolve, lay_gradient, divide, update
//   CGLS:  begin_cgls; for each iteration lay (p), convolve, take_product, step, divide, take_direction, turn
#pragma once
#include "kernels/fourier-reconstruct/lane-fft.hpp"
#include "kernels/vector-set.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::iterate {

constexpr int most_lanes = 16;
constexpr int64_t columns_together = 8; // columns that lie side by side between rows and columns

// Most slices in a stack: the number of floats in a vector, at least 4; 0 on CPUs without vectors, where the functions
// below are not available.
int stack_lanes ();
// The functions for a stack of up to `lanes` slices, whose bits do not depend on it.
kernels::VectorSet vectors_for (int lanes);

// What all stacks share.
struct Plan {
  kernels::VectorSet vectors;
  fourier_reconstruct::LaneFft fft;
  int64_t n;                        // columns and rows of a slice
  std::vector<float> half_turns;    // e^(i pi j / n), complex
  std::vector<float> kernel;        // [2][2][n][n]: parity of column, parity of row, column, row; over (2 n)^2
  std::vector<float> metric;        // [n][n]: column, row; over n^2
  std::vector<int32_t> first, last; // the circle in row y: columns first[y] <= x < last[y]

  // `size`: a result of fourier_reconstruct::good_length (). There is no circle yet.
  explicit Plan (int64_t size, kernels::VectorSet vectors = vectors_for (most_lanes));

  // T in frequencies, [2 n][2 n] as a transform has them, row first; real and even. Several threads can set columns
  // begin .. end - 1 of 2 n each.
  void set_kernel (const float *frequencies, int64_t begin, int64_t end);
  void set_kernel (const float *frequencies) { set_kernel (frequencies, 0, 2 * n); }
  // What the metric multiplies frequencies by, [n][n], in the same way.
  void set_metric (const float *frequencies, int64_t begin, int64_t end);
  void set_metric (const float *frequencies) { set_metric (frequencies, 0, n); }
  // Pixel i has its centre at i - n / 2 + shift, in columns and rows. Pixels nearer to 0 than the radius are inside.
  void set_circle (double radius, double shift);

  int64_t groups () const { return n / columns_together; }
  static size_t resident (int64_t size); // bytes, without a plan
};

// Memory of a stack, in floats, aligned to 64 bytes. An image is [row][column][lane].
struct Memory {
  float *x;        // the slices
  float *q;        // TV: 2 x' - x;  CGLS: T p
  float *y0, *y1;  // TV: duals down and right;  CGLS: the residual r, and the direction p
  float *positive; // TV: the dual of x >= 0;  CGLS: z, the metric's r
  float *data;     // c
  float *z0, *z1;  // between rows and columns: even and odd frequencies of rows
  double *sums;    // [row][2][lane]
  // TV in three dimensions: the dual along z, and of the stacks before and behind this one what its first and last lane
  // need; null: there is no such stack. Loads begin up to a float before and end up to a float behind y2 and q.
  float *y2 = nullptr;
  const float *y2_before = nullptr, *q_behind = nullptr;
};
struct Floats {
  size_t image;       // x, q, y0, y1, positive, data: each
  size_t frequencies; // z0, z1: each
  size_t sums;        // 2 floats for each double
  size_t work;        // for each thread
  size_t stack () const { return 6 * image + 2 * frequencies + sums; }
};
Floats floats_of (int64_t size, kernels::VectorSet vectors = vectors_for (most_lanes)); // Plan::n

// Where dense slices of width x height lie in the n x n of an image.
struct Window {
  int64_t x, y, width, height;
};
// Fills a row of an image from dense slices, one pointer per lane; null: 0, as around the window. Values that are not
// finite become 0, because they would reach the other lane of the pair; returns the lanes that have such, as bits.
uint32_t pack (const Plan &plan, float *image, const Window &window, std::span<const float *const> slices, int64_t row,
               float *work);
// The inverse, for a row of the image; null: not wanted. Negative values of the lanes in `non_negative`, as bits,
// become 0.
void unpack (const Plan &plan, const float *image, const Window &window, std::span<float *const> slices,
             uint32_t non_negative, int64_t row, float *work);

// T applied to an image: rows, columns of parity 0 and 1 in groups () each, rows.
void lay (const Plan &plan, const Memory &memory, const float *image, int64_t row, float *work);
void convolve (const Plan &plan, const Memory &memory, int parity, int64_t group, float *work);
void take (const Plan &plan, const Memory &memory, float *image, int64_t row, float *work);

// The metric's columns. It takes and gives z0.
void divide (const Plan &plan, const Memory &memory, int64_t group, float *work);

// A metric of three dimensions for volumes, whose lines along z were transformed before: the lanes of a stack are
// frequencies along z. Row `row` of a stack is made from vectors that lie `stride` floats apart; a row of the plan that
// the volume does not have has 0 columns. With `divide_by`, Plan::metric holds D instead of 1 / D, and lane i divides
// by D + add[i]; the two lanes of a pair have the same.
void lay_metric (const Plan &plan, const Memory &memory, const float *from, int64_t columns, int64_t stride,
                 int64_t row, float *work);
void divide_by (const Plan &plan, const Memory &memory, const float *add, int64_t group, float *work);
void take_metric (const Plan &plan, const Memory &memory, float *to, int64_t columns, int64_t stride, int64_t row,
                  float *work);

// Sums of the last stage that has any, added in the order of rows: [lane].
void add_sums (const Plan &plan, const Memory &memory, double *first, double *second);

// TV by the method of L. Condat (J. Optim. Theory Appl. 158, 460, 2013) and B. C. Vu, with the metric M:
//
//   y = ball (y + sigma grad q, lambda);  w = min (w + positive q, 0)
//   x' = x - M (T x - c + grad^T y + w) in the circle;  q = 2 x' - x;  x = x'
// kernels/iterate/window.hpp has what differs in three dimensions.
struct TvSteps { // for each lane
  alignas (64) float lambda[most_lanes] = {};
  alignas (64) float sigma[most_lanes] = {};
  alignas (64) float positive[most_lanes] = {}; // 0: the slice may be negative
  alignas (64) float along[most_lanes] = {};    // sigma along z, with y2; 0: the slice has none behind it
  uint32_t frozen = 0;                          // lanes whose x and duals stay, as bits
};
// Sets all but x and data; x becomes 0 outside the circle.
void begin_tv (const Plan &plan, const Memory &memory, int64_t row);
void lay_duals (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work);
// First sums: x.(T x - 2 c), which is (|A x - b|^2 - |b|^2) / projections of x before the update.
void lay_gradient (const Plan &plan, const Memory &memory, int64_t row, float *work);
// First sums: |x' - x|^2; second ones: |x'|^2.
void update (const Plan &plan, const Memory &memory, const TvSteps &steps, int64_t row, float *work);

// Conjugate gradients. The first iteration has alpha = 1 and beta = 0: it computes the residual of the slices in x. In
// the others alpha = (the last r.z) / p.q and beta = r.z / (the last r.z). Lanes with alpha = beta = 0 stay.
//
// Moves x to p; sets x and r. These become 0 outside the circle.
void begin_cgls (const Plan &plan, const Memory &memory, int64_t row);
// q = T p. First sums: p.q.
void take_product (const Plan &plan, const Memory &memory, int64_t row, float *work);
// x += alpha p; r -= alpha q; r goes into the metric. `alpha`: [most_lanes]. First sums: |r|^2.
void step (const Plan &plan, const Memory &memory, const float *alpha, int64_t row, float *work);
// z = M r. First sums: r.z.
void take_direction (const Plan &plan, const Memory &memory, int64_t row, float *work);
// p = z + beta p.
void turn (const Plan &plan, const Memory &memory, const float *beta, int64_t row);

} // namespace sino::iterate
