// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/responses.hpp"
#include "kernels/iterate/normal.hpp"
#include <numbers>

namespace sino::iterative_reconstruct {

using namespace fourier_reconstruct;

// More exact than the best of fourier-reconstruct: slices move by twice the error of c.
constexpr double finer_grid = 1.5;

Job gridding_job (const Problem &problem)
{
  return {.size = problem.margin < 0 ? problem.columns : problem.size,
          .slice = problem.size,
          .rays = problem.rays,
          .filter = {.window = ramp_filter::Window::sinc, .cutoff = 1, .order = 2, .power = 1.5, .spacing = 1},
          .edge = false,
          .width = width_for (best_accuracy),
          .oversampling = finer_grid,
          .mask = false,
          .roi = {0, 0, problem.size, problem.size}};
}

Responses responses_of (const Problem &problem, Gridding gridding, const Cpu &cpu)
{
  gridding.set_filter (gridding_job (problem).filter,
                       [&] (int64_t n, const auto &body) { cpu.parallel (n, 64, body); });
  Responses responses{.of_filter = std::move (gridding.response), .of_adjoint = {}};
  for (auto &value : responses.of_filter)
    value *= std::numbers::pi_v<float>; // the sum of the weights that back-projection takes
  const auto count = gridding.padded / 2 + 1;
  responses.of_adjoint.resize (static_cast<size_t> (count) * problem.rays.size ());
  cpu.parallel (std::ssize (problem.rays), 1, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++) {
      const auto &ray = problem.rays[static_cast<size_t> (i)];
      for (int64_t k = 0; k + 1 < count; k++) { // 2 k = P is no frequency of A
        const double v = static_cast<double> (k) / static_cast<double> (gridding.padded);
        responses.of_adjoint[static_cast<size_t> (i * count + k)] =
            static_cast<float> (iterate::response (v, ray.cos, ray.sin) / static_cast<double> (gridding.padded));
      }
    }
  });
  return responses;
}

} // namespace sino::iterative_reconstruct
