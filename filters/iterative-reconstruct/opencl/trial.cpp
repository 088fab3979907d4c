// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/trial.hpp"
#include "families/trial.hpp"
#include "filters/iterative-reconstruct/opencl/solved.hpp"
#include <numbers>

namespace sino::iterative_reconstruct {

namespace {

constexpr int64_t size = 128; // its radices differ, so that values change their order between transforms
constexpr int64_t projections = 20;

Problem some_problem (Method method)
{
  std::vector<Ray> rays;
  for (int64_t k = 0; k < projections; k++) {
    const double angle = 0.1 + static_cast<double> (k) * std::numbers::pi / projections;
    rays.push_back (
        {std::cos (angle), std::sin (angle), 0.5 * size - 0.2, static_cast<float> (std::numbers::pi) / projections});
  }
  auto problem = problem_of (size, false, std::move (rays));
  problem.roi = {0, 0, size, size};
  problem.solving = {.method = method,
                     .strengths = {1},
                     .noise = 0.1,
                     .iterations = 3,
                     .tolerance = 0,
                     .non_negative = method == Method::tv};
  return problem;
}

} // namespace

double trial_error (const OpenclDevice &device, const families::Setting &setting, const families::Problem &words)
{
  const auto problem = some_problem (words["method"] == 0 ? Method::tv : Method::cgls);
  SomeRows rows{.bins = {}, .lanes = words.lanes, .rows = words.lanes};
  for (int64_t i = 0; i < projections * size * words.lanes; i++)
    rows.bins.push_back (1 + families::noise (i));
  Monitor monitor;
  const auto truth = solve_natively (problem, rows).slices,
             got = solve_on (device, setting, problem, rows, monitor).slices;
  families::RelativeError error;
  for (size_t lane = 0; lane < truth.size (); lane++)
    for (size_t i = 0; i < truth[lane].size (); i++)
      error.add (static_cast<double> (got[lane][i]), static_cast<double> (truth[lane][i]));
  return error.value ();
}

} // namespace sino::iterative_reconstruct
