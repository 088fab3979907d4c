// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/forward-project/opencl/family.hpp"
#include "filters/forward-project/opencl/problem.hpp"
#include "filters/forward-project/opencl/trial.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::forward_project {

using namespace families;

namespace {

std::vector<Parameter> parameters ()
{
  return {{"VIEWS", {16, 8, 4, 32, 64, 1}}, {"WIDE", {32, 16, 64, 8}}, {"HIGH", {8, 16, 4, 2, 1}}};
}

} // namespace

const Family &family ()
{
  static const Family all{.name = "forward-project",
                          .words = {{.name = "steep", .help = "", .values = {"no", "yes"}, .from = Word::From::scan},
                                    {.name = "columns", .help = "Columns of a slice", .from = Word::From::scan},
                                    {.name = "lines", .help = "Lines of a slice", .from = Word::From::scan}},
                          .kernels = {{.name = "buffer",
                                       .summary = "exact weights, runs everywhere",
                                       .source = {"forward-project/buffer.cl", opencl::opencl_source},
                                       .lanes = {1},
                                       .parameters = parameters (),
                                       .shape = shape_of,
                                       .reference = true},
                                      {.name = "image",
                                       .summary = "interpolation by the texture units",
                                       .source = {"forward-project/image.cl", opencl::opencl_source},
                                       .lanes = {1},
                                       .parameters = parameters (),
                                       .shape = shape_of,
                                       .contradiction = too_many_planes}},
                          .takes_projections = true,
                          .native_on_cpus = true,
                          .usual = {1, 1, {{"steep", 0}, {"columns", 1024}, {"lines", 1024}}},
                          .options = options,
                          .trial = trial_error,
                          .most_error =
                              1e-3, // error from the 8 bits of the texture engine; those of `buffer` are below 1e-6
                          .tuning = [] { return opencl::kernel_file ("forward-project/tuning.json"); }};
  return all;
}

} // namespace sino::forward_project
