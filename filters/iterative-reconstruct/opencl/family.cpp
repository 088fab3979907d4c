// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/opencl/family.hpp"
#include "base/text.hpp"
#include "filters/iterative-reconstruct/opencl/plan.hpp"
#include "filters/iterative-reconstruct/opencl/trial.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::iterative_reconstruct {

namespace {

std::string unfit (const families::Setting &setting, const families::Problem &problem, const OpenclFacts &facts)
{
  const auto size = problem["size"];
  return lines_for (size, facts, setting)
             ? std::string ()
             : text ("a row of %d values does not fit in the local memory of a group", static_cast<int> (size));
}

std::vector<families::Parameter> parameters ()
{
  auto list = opencl::lines_parameters ();
  list.insert (list.begin (), {.name = "SLICES", .values = {16, 8, 4, 2}});
  list.push_back ({.name = "FFT", .values = {1, 0}, .on_cpus = 0}); // as in fourier-reconstruct
  return list;
}

} // namespace

const families::Family &family ()
{
  using families::Word;
  static const families::Family all{
      .name = "iterative-reconstruct",
      .words = {{.name = "method", .help = "Method, as in the property", .values = {"tv", "cgls"}},
                {.name = "size", .help = "Columns of an image", .from = Word::From::scan}},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernels",
                   .source = {iterate_source, opencl::opencl_source},
                   .lanes = {1, 2, 4, 8, 16, 32},
                   .parameters = parameters (),
                   .contradiction = unfit}},
      .picks_lanes = true,
      .native_on_cpus = true,
      .usual = {0, 1000, {{"method", 0}, {"size", 2048}}},
      .trial = trial_error,
      .most_error = most_trial_error,
      .tuning = [] { return opencl::kernel_file ("iterate/tuning.json"); }};
  return all;
}

families::Problem family_problem (const Problem &problem, int64_t slices)
{
  return {0, slices, {{"method", problem.solving.method == Method::tv ? 0 : 1}, {"size", problem.size}}};
}

} // namespace sino::iterative_reconstruct
