// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/problem.hpp"

namespace sino::back_project {

Problem problem_of (const Job &job, int64_t slices)
{
  return {job.lanes,
          slices,
          {{"interpolation", static_cast<int64_t> (job.interpolation)},
           {"precision", job.half},
           {"mask", job.mask},
           {"columns", job.size},
           {"projections", std::ssize (job.rays)}}};
}

Interpolation interpolation_of (const Problem &problem)
{
  return static_cast<Interpolation> (problem["interpolation"]);
}

bool is_half (const Problem &problem)
{
  return problem["precision"] == 1;
}

bool has_mask (const Problem &problem)
{
  return problem["mask"] == 1;
}

Job job_of (const Problem &problem, int64_t size, std::span<const Ray> rays)
{
  return {.bins = nullptr,
          .half = is_half (problem),
          .lanes = problem.lanes,
          .size = size,
          .rays = rays,
          .interpolation = interpolation_of (problem),
          .precision = Precision::single,
          .mask = has_mask (problem),
          .roi = {.x = 0, .y = 0, .width = size, .height = size}};
}

std::string options (const Setting &, const Problem &problem)
{
  std::string out = is_half (problem) ? " -DHALF" : "";
  if (interpolation_of (problem) == Interpolation::nearest)
    out += " -DNEAREST";
  if (interpolation_of (problem) == Interpolation::oversample)
    out += " -DOVERSAMPLE";
  return out + (has_mask (problem) ? " -DMASK" : "");
}

} // namespace sino::back_project
