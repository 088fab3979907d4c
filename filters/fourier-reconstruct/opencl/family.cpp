// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/fourier-reconstruct/opencl/family.hpp"
#include "filters/fourier-reconstruct/opencl/problem.hpp"
#include "filters/fourier-reconstruct/opencl/stages.hpp"
#include "filters/fourier-reconstruct/opencl/trial.hpp"
#include "filters/ramp-filter/words.hpp"
#include "filters/slice/slices.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::fourier_reconstruct {

using namespace families;

const Family &family ()
{
  static const Family all{
      .name = "fourier-reconstruct",
      .words = {{.name = "padding-mode", .help = ramp_filter::padding_blurb, .values = {"zero", "edge"}},
                {.name = "mask", .help = slice::mask_blurb, .values = {"false", "true"}},
                {.name = "precision",
                 .help = "How terms are stored, as in the property",
                 .values = {"single", "half-storage"}},
                {.name = "accuracy", .help = "Largest error, as in the property"},
                {.name = "width", .help = "Cells over which a term is spread", .from = Word::From::scan}},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernels",
                   .source = {stages_source, opencl::opencl_source},
                   .lanes = {1, 2, 4, 8, 16, 32},
                   .parameters = {{.name = "SLICES", .values = {16, 8, 4, 2}},
                                  {.name = "FFT", .values = {0, 1}, .spared = true, .on_cpus = 0}}, // 1: our own
                   .shape =
                       [] (const Setting &, const Problem &) {
                         return Shape{.group = {spreading_items, 1}};
                       }}},
      .picks_lanes = true,
      .native_on_cpus = true,
      .usual = {0, 1000, {{"padding-mode", 0}, {"mask", 0}, {"width", 4}, {"precision", 0}}},
      .options = options,
      .trial = trial_error,
      .most_error = most_trial_error,
      .tuning = [] { return opencl::kernel_file ("fourier-reconstruct/tuning.json"); }};
  return all;
}

} // namespace sino::fourier_reconstruct
