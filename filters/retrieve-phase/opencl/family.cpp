// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/family.hpp"
#include "filters/opencl/lines.hpp"
#include "filters/retrieve-phase/opencl/own-lines.hpp"
#include "filters/retrieve-phase/opencl/trial.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::retrieve_phase {

namespace {

std::vector<families::Parameter> parameters ()
{
  auto list = opencl::lines_parameters ();
  list.push_back ({.name = "MIB", .values = {128, 32, 64, 256}});                   // of frequencies of images at once
  list.push_back ({.name = "FFT", .values = {0, 1}, .spared = true, .on_cpus = 0}); // 1: our own
  return list;
}

} // namespace

const families::Family &family ()
{
  using families::Word;
  static const families::Family all{
      .name = "retrieve-phase",
      .words =
          {{.name = "method",
            .help = "Method of phase retrieval",
            .values = {"paganin", "bronnikov-aided", "tie", "ctf", "qp", "qp2"}},
           {.name = "energy", .help = "Energy of the X-rays in keV"},
           {.name = "distance", .help = "Distance from the sample to the detector in m"},
           {.name = "pixel-size", .help = "Size of a detector pixel in m"},
           {.name = "delta-beta", .help = "Ratio of delta to beta of the material"},
           {.name = "height", .help = "Rows of a projection with padding", .from = Word::From::scan, .tried = true},
           {.name = "width", .help = "Columns of a projection with padding", .from = Word::From::scan, .tried = true}},
      .kernels = {{.name = "opencl",
                   .summary = "OpenCL kernels",
                   .source = {"retrieve-phase/retrieve-phase.cl", opencl::opencl_source},
                   .lanes = {1},
                   .parameters = parameters (),
                   .contradiction = own_refusal}},
      .takes_projections = true,
      .native_on_cpus = true,
      .usual = {1, 1000, {{"method", 0}, {"height", 2560}, {"width", 2560}}},
      .options = options,
      .trial = trial_error,
      .most_error = 1e-5,
      .tuning = [] { return opencl::kernel_file ("retrieve-phase/tuning.json"); }};
  return all;
}

} // namespace sino::retrieve_phase
