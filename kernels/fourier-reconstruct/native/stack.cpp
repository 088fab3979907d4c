// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::fourier_reconstruct {
using std::numbers::pi;

static int64_t odd (int64_t n)
{
  return n | 1;
}

// Lists of rays in each sector of the half circle of directions, in order of direction.
static std::vector<std::vector<size_t>> sorted (std::span<const Ray> rays, size_t sectors)
{
  std::vector<std::vector<size_t>> lists (sectors);
  std::vector<double> direction;
  for (const auto &ray : rays) {
    double angle = std::atan2 (ray.sin, ray.cos) / pi; // (-1, 1]
    angle = angle < 0 ? angle + 1 : angle;
    direction.push_back (angle >= 1 ? 0 : angle);
  }
  for (size_t i = 0; i < rays.size (); i++)
    lists[std::min<size_t> (static_cast<size_t> (direction[i] * static_cast<double> (sectors)), sectors - 1)]
        .push_back (i);
  for (auto &list : lists)
    std::stable_sort (list.begin (), list.end (), [&] (size_t a, size_t b) { return direction[a] < direction[b]; });
  return lists;
}

StackPlan::StackPlan (const Job &j, kernels::VectorSet v)
    : job (j), vectors (v), gridding (gridding_for (j)), row_fft (gridding.padded / 2), grid_fft (gridding.grid),
      half_turns (fourier_reconstruct::half_turns (row_fft.n)),
      rays (sorted (j.rays, gridding.grid < 2048 ? 16 : 32)) // more: larger centres; fewer: idle threads
{
  line_stride = odd (gridding.grid + 2 * margin);
  term_stride = odd (gridding.padded + 1);
  // Beyond this radius, the cells of two rays that are at least a sector apart differ by more than phi's width in x or
  // y.
  const double radius = std::numbers::sqrt2 * (job.width + 1) / std::sin (pi / sectors ());
  centre_terms = std::min (static_cast<int64_t> (std::ceil (radius / gridding.scale ())), gridding.padded / 2);
  const auto reach = static_cast<int64_t> (std::ceil (static_cast<double> (centre_terms) * gridding.scale ()));
  centre_size = std::min (odd (2 * (reach + margin) + 1), gridding.grid + 2 * margin - 1);
}

std::span<const size_t> StackPlan::batch (int sector, int64_t i) const
{
  const auto &all = rays[static_cast<size_t> (sector)];
  const auto first = static_cast<size_t> (i * batch_rays);
  return std::span (all).subspan (first, std::min<size_t> (batch_rays, all.size () - first));
}

int64_t StackPlan::extent (int64_t distance) const
{
  const auto radius = 0.5 * static_cast<double> (gridding.grid), reach = 0.5 * job.width;
  const auto near = std::max (0.0, static_cast<double> (std::abs (distance)) - reach);
  return static_cast<int64_t> (std::sqrt (std::max (0.0, radius * radius - near * near)) + reach) + 1;
}

size_t StackPlan::resident () const
{
  return row_fft.resident () + grid_fft.resident () +
         (half_turns.size () + gridding.response.size () + gridding.correction.size ()) * sizeof (float) +
         job.rays.size () * sizeof (size_t);
}

Floats floats_of (const StackPlan &stack)
{
  const auto &g = stack.gridding;
  const auto lanes = stack.vectors.lanes;
  const auto floats = [&] (int64_t vectors) { return static_cast<size_t> (vectors * lanes); };
  const auto terms = batch_rays * stack.term_stride;
  const auto transforms = std::max (stack.row_fft.scratch (), stack.grid_fft.scratch ());
  const auto factors = (g.padded + 2) / lanes + 1;
  // in vectors: a row of all lanes, and a row of one lane for unwanted slices
  const auto row = stack.job.roi.width + stack.job.roi.width / lanes + 1;
  return {.grid = floats (stack.line_stride * (g.grid + 2 * margin)),
          .centres = floats (stack.sectors () * stack.centre_size * stack.centre_size),
          .lines = floats (stack.row_groups () * rows_together * g.grid),
          .terms = floats (batch_rays + (stack.job.halves ? divide_up (terms, 2) : terms)),
          .work = floats (transforms + std::max (factors, row))};
}

} // namespace sino::fourier_reconstruct
