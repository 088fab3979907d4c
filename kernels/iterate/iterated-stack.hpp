// SPDX-License-Identifier: LGPL-3.0-or-later
// A stack of iterated slices with its memory, for tests and benchmarks. `parts` runs body (part, work) for part = 0 ..
// count - 1 of a stage.
#pragma once
#include "kernels/iterate/stack.hpp"
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>

namespace sino::iterate {

class IteratedStack
{
public:
  using Pages = std::unique_ptr<float, decltype (&std::free)>;

  static Pages allocate (size_t n)
  {
    constexpr size_t huge = 2 << 20;
    const auto bytes = (n * sizeof (float) + huge - 1) / huge * huge;
    Pages memory (static_cast<float *> (std::aligned_alloc (huge, bytes)), std::free);
    madvise (memory.get (), bytes, MADV_HUGEPAGE);
    std::fill_n (memory.get (), bytes / sizeof (float), 0.0F);
    return memory;
  }

  explicit IteratedStack (const Plan &p)
      : plan (p), floats (floats_of (plan.n, plan.vectors)), all (allocate (floats.stack ()))
  {
    float *next = all.get ();
    for (auto **image : {&memory.x, &memory.q, &memory.y0, &memory.y1, &memory.positive, &memory.data}) {
      *image = next;
      next += floats.image;
    }
    memory.z0 = next;
    memory.z1 = next + floats.frequencies;
    memory.sums = reinterpret_cast<double *> (next + 2 * floats.frequencies);
  }

  template <class Parts> void rows_to_columns (Parts parts, const float *image)
  {
    parts (plan.n, [&] (int64_t row, float *work) { lay (plan, memory, image, row, work); });
  }
  template <class Parts> void columns (Parts parts)
  {
    parts (2 * plan.groups (), [&] (int64_t i, float *work) {
      convolve (plan, memory, static_cast<int> (i / plan.groups ()), i % plan.groups (), work);
    });
  }
  template <class Parts> void divide_columns (Parts parts)
  {
    parts (plan.groups (), [&] (int64_t group, float *work) { divide (plan, memory, group, work); });
  }
  // q = T x
  template <class Parts> void apply (Parts parts)
  {
    rows_to_columns (parts, memory.x);
    columns (parts);
    parts (plan.n, [&] (int64_t row, float *work) { take (plan, memory, memory.q, row, work); });
  }

  template <class Parts> void begin_tv (Parts parts)
  {
    parts (plan.n, [&] (int64_t row, float *) { iterate::begin_tv (plan, memory, row); });
  }
  // Calls watch () after the stages that have sums.
  template <class Parts, class Watch> void tv (Parts parts, const TvSteps &steps, Watch watch)
  {
    parts (plan.n, [&] (int64_t row, float *work) { lay_duals (plan, memory, steps, row, work); });
    columns (parts);
    parts (plan.n, [&] (int64_t row, float *work) { lay_gradient (plan, memory, row, work); });
    watch ();
    divide_columns (parts);
    parts (plan.n, [&] (int64_t row, float *work) { update (plan, memory, steps, row, work); });
    watch ();
  }

  template <class Parts> void begin_cgls (Parts parts)
  {
    parts (plan.n, [&] (int64_t row, float *) { iterate::begin_cgls (plan, memory, row); });
    first = true;
  }
  template <class Parts> void cgls (Parts parts)
  {
    double product[most_lanes], unused[most_lanes], rz[most_lanes];
    float alpha[most_lanes] = {}, beta[most_lanes] = {};
    const auto lanes = static_cast<size_t> (plan.vectors.lanes);
    rows_to_columns (parts, memory.y1);
    columns (parts);
    parts (plan.n, [&] (int64_t row, float *work) { take_product (plan, memory, row, work); });
    add_sums (plan, memory, product, unused);
    for (size_t lane = 0; lane < lanes; lane++)
      alpha[lane] = first ? 1 : product[lane] > 0 ? static_cast<float> (last[lane] / product[lane]) : 0;
    parts (plan.n, [&] (int64_t row, float *work) { step (plan, memory, alpha, row, work); });
    divide_columns (parts);
    parts (plan.n, [&] (int64_t row, float *work) { take_direction (plan, memory, row, work); });
    add_sums (plan, memory, rz, unused);
    for (size_t lane = 0; lane < lanes; lane++) {
      beta[lane] = first || last[lane] == 0 ? 0 : static_cast<float> (rz[lane] / last[lane]);
      last[lane] = rz[lane];
    }
    parts (plan.n, [&] (int64_t row, float *) { turn (plan, memory, beta, row); });
    first = false;
  }

  const Plan &plan;
  const Floats floats;
  Memory memory{};

private:
  Pages all;
  bool first = true;
  double last[most_lanes] = {};
};

} // namespace sino::iterate
