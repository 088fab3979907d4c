// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/plan.hpp"
#include "kernels/iterate/metric.hpp"

namespace sino::iterative_reconstruct {

iterate::Plan plan_of (const Problem &problem, const iterate::Lags &lags, const Cpu &cpu, kernels::VectorSet vectors)
{
  iterate::Plan plan (problem.size, vectors);
  const auto frequencies = iterate::normal_frequencies (lags, cpu);
  cpu.parallel (2 * plan.n, 64,
                [&] (int64_t begin, int64_t end) { plan.set_kernel (frequencies.data (), begin, end); });
  auto metric = problem.solving.method == Method::tv
                    ? iterate::tv_metric (lags, frequencies, problem.radius (), problem.columns_per_projection (), cpu)
                    : std::vector<float> (static_cast<size_t> (plan.n * plan.n), 1.0F);
  if (problem.solving.deep) // divide_by () takes D itself
    for (auto &value : metric)
      value = 1 / value;
  cpu.parallel (plan.n, 64, [&] (int64_t begin, int64_t end) { plan.set_metric (metric.data (), begin, end); });
  plan.set_circle (problem.radius (), problem.shift ());
  return plan;
}

} // namespace sino::iterative_reconstruct
