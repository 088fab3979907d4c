// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/family.hpp"
#include "filters/back-project/opencl/limits.hpp"
#include "filters/back-project/opencl/measure.hpp"
#include "filters/back-project/opencl/problem.hpp"
#include "filters/back-project/opencl/shapes.hpp"
#include "filters/back-project/opencl/trial.hpp"
#include "filters/back-project/words.hpp"
#include "filters/slice/slices.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::back_project {

using families::Family, families::Parameter, families::Word;

namespace {

Parameter flag (const char *name, bool usually = false)
{
  return {name, usually ? std::vector{1, 0} : std::vector{0, 1}, true};
}

Parameter spared_flag (const char *name)
{
  return {.name = name, .values = {0, 1}, .optional = true, .spared = true};
}

std::vector<Parameter> with (std::vector<Parameter> all, const std::vector<Parameter> &more)
{
  all.insert (all.end (), more.begin (), more.end ());
  return all;
}

std::vector<Parameter> local_parameters ()
{
  return {{"PIXELS", {4, 8, 16}},
          {"CACHED", {8, 4, 16}},
          {"FILLERS", {0, 8, 16, 32, 64}, true},
          {.name = "UNROLL", .values = {4, 0, 1, 2, 8, 16}, .optional = true, .on_cpus = 1},
          {"ARRAYS", {1, 2, 4}},
          flag ("WRITE64"),
          flag ("ADVANCED"),
          flag ("HALF_CACHE"),
          {"HOLD", {1, 0, 2}},
          flag ("HOLD_STEPS"),
          {"AHEAD", {0, 256}, true},
          {"ROUND", {0, 1, 2}},
          spared_flag ("CONSTANT")};
}

std::vector<families::Kernel> kernels ()
{
  using opencl::opencl_source;
  return {{.name = "reference",
           .summary = "follows the definition, runs everywhere",
           .source = {"back-project/reference.cl", opencl_source},
           .lanes = {1, 2, 4, 8, 16, 32},
           .shape = reference_shape,
           .reference = true},
          {.name = "texture",
           .summary = "interpolation by the texture units",
           .source = {"back-project/texture.cl", opencl_source},
           .lanes = {1, 2, 4},
           .parameters = {{"SIDE", {16, 32, 64}},
                          {"ITEMS", {256, 128}},
                          {"PROJECTIONS", {4, 2, 1}},
                          flag ("ZORDER", true),
                          {"BATCH", {0, 64, 256}},
                          spared_flag ("CONSTANT"),
                          {"INTERLEAVE", {4, 1, 2, 8}},
                          {"SHUFFLE", {0, 1, 2}}},
           .shape = texture_shape,
           .contradiction = texture_contradiction},
          {.name = "local",
           .summary = "interpolation from local memory",
           .source = {"back-project/local.cl", opencl_source},
           .lanes = {1, 2, 4},
           .parameters = with (local_parameters (), {spared_flag ("IMAGE")}),
           .shape = local_shape,
           .contradiction = local_contradiction},
          {.name = "hybrid",
           .summary = "some groups use texture, the others local",
           .source = {"back-project/hybrid.cl", opencl_source},
           .lanes = {1, 2, 4},
           .parameters = with (local_parameters (), {{"TEXTURE_SHARE", {1, 2, 3, 5}},
                                                     {"LOCAL_SHARE", {1, 2, 3, 5}},
                                                     {"BY_SM", {0, 256}, true},
                                                     flag ("ZORDER", true),
                                                     {"BATCH", {0, 64, 256}},
                                                     {"INTERLEAVE", {4, 1, 2, 8}}}),
           .shape = hybrid_shape,
           .contradiction = hybrid_contradiction},
          {.name = "window",
           .summary = "from a buffer, with the bins in registers",
           .source = {"back-project/window.cl", opencl_source},
           .lanes = {1, 2, 4},
           .parameters = {{"PIXELS", {16, 8, 32, 4}}},
           .shape = window_shape,
           .contradiction = window_contradiction},
          {.name = "blocked",
           .summary = "for CPUs: tiles that fit into their caches",
           .source = {"back-project/blocked.cl", opencl_source},
           .lanes = {4, 8, 16, 32},
           .parameters = {{"TILE", {64, 32, 128}}, {"BATCH", {16, 8, 32}}, {"PIXELS", {8, 4, 16, 2, 1}}},
           .shape = blocked_shape}};
}

std::vector<const char *> interpolations ()
{
  std::vector<const char *> words;
  for (const auto &each : interpolation_nicks)
    words.push_back (each.nick);
  return words;
}

} // namespace

const Family &family ()
{
  static const Family all{
      .name = "back-project",
      .words = {{.name = "interpolation", .help = interpolation_blurb, .values = interpolations (), .tuned = true},
                {.name = "precision",
                 .help = "Type of the input values; half: the output of half-pack",
                 .values = {"single", "half"},
                 .from = Word::From::element,
                 .tuned = true},
                {.name = "mask", .help = slice::mask_blurb, .values = {"false", "true"}},
                {.name = "columns", .help = "Columns of a row", .from = Word::From::scan},
                {.name = "projections", .help = "Projections of the scan", .from = Word::From::scan}},
      .kernels = kernels (),
      .picks_lanes = true,
      .usual = {0,
                1000,
                {{"interpolation", 0}, {"precision", 0}, {"mask", 0}, {"columns", 2048}, {"projections", 1500}}},
      .options = options,
      .trial = trial_error,
      .most_error = most_trial_error,
      .tuning = [] { return opencl::kernel_file ("back-project/tuning.json"); },
      .model = [] (const OpenclDevice &device, const Problem &problem) -> std::function<Prediction (const Proposal &)> {
        return [=, facts = device.facts (), measured = measure (family (), device, problem)] (
                   const Proposal &proposal) { return predicted (proposal, facts, problem, measured); };
      },
      .limits = limits_of,
      .baseline_kernel = "texture", // the paper's algorithm 1
      .baseline_parameters = "PROJECTIONS=1,INTERLEAVE=1,ZORDER=0"};
  return all;
}

} // namespace sino::back_project
