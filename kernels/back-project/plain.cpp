// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/back-project/plain.hpp"
#include <cmath>

namespace sino::back_project {

void plain (const Job &job, int64_t begin, int64_t end, float *rows)
{
  const auto n = job.size;
  const auto middle = 0.5 * static_cast<double> (n) - 0.5;
  for (auto y = begin; y < end; y++)
    for (int64_t x = 0; x < n; x++) {
      const auto dx = static_cast<double> (x) - middle, dy = static_cast<double> (y) - middle;
      float sum = 0;
      const auto *bins = static_cast<const float *> (job.bins);
      for (const auto &ray : job.rays) {
        const double u = ray.origin + dx * ray.cos - dy * ray.sin, left = std::floor (u);
        const auto w = static_cast<float> (u - left);
        const auto i = static_cast<int64_t> (left);
        if (i >= 0 && i < n)
          sum += ray.weight * (1 - w) * bins[i];
        if (i + 1 >= 0 && i + 1 < n)
          sum += ray.weight * w * bins[i + 1];
        bins += n;
      }
      *rows++ = sum;
    }
}

} // namespace sino::back_project
