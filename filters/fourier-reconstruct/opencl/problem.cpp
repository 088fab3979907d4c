// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino::fourier_reconstruct {

Problem problem_of (const Job &job, int lanes, int64_t slices)
{
  return {
      lanes, slices, {{"padding-mode", job.edge}, {"mask", job.mask}, {"width", job.width}, {"precision", job.halves}}};
}

int slices_of (const Setting &setting, int lanes)
{
  return std::clamp (lanes, 2, setting["SLICES"]);
}

std::string options (const Setting &, const Problem &problem)
{
  return text (" -DWIDTH=%d", static_cast<int> (problem["width"])) + (problem["padding-mode"] == 1 ? " -DEDGE" : "") +
         (problem["mask"] == 1 ? " -DMASK" : "") + (problem["precision"] == 1 ? " -DHALVES" : "");
}

} // namespace sino::fourier_reconstruct
