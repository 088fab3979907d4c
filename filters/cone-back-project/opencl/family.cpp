// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/family.hpp"
#include "filters/cone-back-project/opencl/adjoint-trial.hpp"
#include "filters/cone-back-project/opencl/shapes.hpp"
#include "filters/cone-back-project/opencl/trial.hpp"
#include "kernels/opencl/source.hpp"
#include <cstdint>

namespace sino::cone_back_project {

using namespace families;

namespace {

std::vector<Parameter> parameters (std::vector<int> voxels, std::vector<Parameter> more = {})
{
  std::vector<Parameter> all{{"VIEWS", {16, 8, 20, 32, 64, 4, 1}},
                             {.name = "Z", .values = std::move (voxels)},
                             {"WIDE", {16, 32, 8, 64}},
                             {"HIGH", {16, 8, 4, 2, 1}}};
  all.insert (all.end (), more.begin (), more.end ());
  return all;
}

std::string only_adjoint (const Setting &s, const Problem &problem, const OpenclFacts &)
{
  if (s["SIDE"] > 1 && s["ONCE"] != 1)
    return "SIDE=2 wants ONCE=1";
  if (s["ONCE"] == 2 && (s["WIDE"] != s["HIGH"] || s["Z"] < 4))
    return "ONCE=2 wants WIDE and HIGH to be alike, and Z=4 or more";
  if (!is_adjoint (problem))
    return "is for weights=adjoint";
  return problem["columns"] * (problem["rows"] + 16) > INT32_MAX ? "takes projections of less than 2^31 rays" : "";
}

// What `more` says, for the weights of filtered back-projection.
template <auto more> std::string only_fdk (const Setting &s, const Problem &problem, const OpenclFacts &facts)
{
  return is_adjoint (problem) ? "does not have weights=adjoint" : more (s, problem, facts);
}

double trial (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  return is_adjoint (problem) ? adjoint_trial_error (device, setting, problem) : trial_error (device, setting, problem);
}

std::optional<ErrorLimit> error_limit (const Problem &problem)
{
  return problem["accuracy"] == 1 ? std::optional<ErrorLimit> ({exact_error, "accuracy=exact"}) : std::nullopt;
}

std::string nothing (const Setting &, const Problem &, const OpenclFacts &)
{
  return {};
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "cone-back-project",
      .words = {{.name = "weights", .help = "The property of the node", .values = {"fdk", "adjoint"}, .tuned = true},
                {.name = "accuracy", .help = "The property of the node", .values = {"auto", "exact"}, .tuned = true},
                {.name = "rays", .help = "", .values = {"upright", "tilted"}, .from = Word::From::scan, .tuned = true},
                {.name = "columns", .help = "Columns of a projection", .from = Word::From::scan},
                {.name = "rows", .help = "Rows of a projection", .from = Word::From::scan},
                {.name = "quarter-rows",
                 .help = "Largest distance of neighbouring slices, in quarters of a row",
                 .from = Word::From::scan},
                {.name = "turns", .help = "", .values = {"one", "several"}, .from = Word::From::scan},
                {.name = "near-lines", .help = "Lines of rays around a voxel", .from = Word::From::scan}},
      .kernels = {{.name = "image",
                   .summary = "interpolation by the texture units",
                   .source = {"cone-back-project/image.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = parameters ({8, 4, 16, 32, 1}),
                   .shape = shape_of,
                   .contradiction = only_fdk<nothing>},
                  {.name = "columns",
                   .summary = "lines between detector columns in local memory",
                   .source = {"cone-back-project/columns.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = parameters ({16, 8, 32, 4, 1}),
                   .shape = shape_of,
                   .contradiction = only_fdk<only_upright>},
                  {.name = "buffer",
                   .summary = "follows the definition, runs everywhere",
                   .source = {"cone-back-project/buffer.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = parameters ({8, 4, 16, 32, 1}),
                   .shape = shape_of,
                   .contradiction = only_fdk<nothing>,
                   .reference = true},
                  {.name = "gather",
                   .summary = "the transpose of forward-project variant=buffer",
                   .source = {"cone-back-project/gather.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = parameters ({16, 8, 4, 32, 1}, {{"ONCE", {0, 1, 2}}, {"SIDE", {1, 2}}}),
                   .shape = shape_of,
                   .contradiction = only_adjoint,
                   .reference = true}},
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = {1,
                1000,
                {{"weights", 0},
                 {"accuracy", 0},
                 {"rays", 0},
                 {"columns", 1024},
                 {"rows", 1024},
                 {"quarter-rows", 5},
                 {"turns", 0},
                 {"near-lines", 3}}},
      .options = options,
      .trial = trial,
      .most_error = 1e-3, // error from the 8 bits of the texture engine; errors of other kernels are below 1e-5
      .tuning = [] { return opencl::kernel_file ("cone-back-project/tuning.json"); },
      .error_limit = error_limit};
  return all;
}

} // namespace sino::cone_back_project
