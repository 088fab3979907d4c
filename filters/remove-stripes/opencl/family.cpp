// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/remove-stripes/opencl/family.hpp"
#include "families/trial.hpp"
#include "filters/point/opencl-elements.hpp"
#include "filters/remove-stripes/native.hpp"
#include "filters/remove-stripes/opencl/remover.hpp"
#include "kernels/opencl/source.hpp"
#include <cmath>

namespace sino::remove_stripes {

using namespace families;

namespace {

constexpr int lanes = 4, groups = 2;
constexpr int64_t angles = 301, columns = 90; // of a sinogram
constexpr remove_stripes::Shape shape{angles, columns *lanes, lanes};
constexpr auto group_values = shape.angles * shape.columns;

// Two groups of lanes with stripes of all kinds and values that are no numbers; the last lane has no sinogram.
std::vector<float> scan ()
{
  std::vector<float> values;
  for (int64_t g = 0; g < groups; g++)
    for (int64_t a = 0; a < angles; a++)
      for (int64_t c = 0; c < columns; c++)
        for (int64_t lane = 0; lane < lanes; lane++) {
          const auto row = g * lanes + lane, place = (c + 11 * row) % columns;
          auto value = 1 + 0.02f * noise (row * columns + c) + 0.01f * noise ((row * angles + a) * columns + c);
          value += place == 20 ? 0.5f * noise (a * columns + c) : place / 4 == 12 ? 0.6f : 0.0f;
          if (place == 70)
            value = 0.9f;
          if (place == 33 && a % 9 == 0)
            value = a % 2 ? NAN : -INFINITY;
          values.push_back (row == groups * lanes - 1 ? 0 : value);
        }
  return values;
}

// The largest error relative to values of 1.
double trial_error (const OpenclDevice &device, const Setting &setting, const Problem &problem)
{
  const auto settings = OpenclRemover::settings_of (problem);
  const auto values = scan ();
  std::vector<float> truth (values.size ()), got (values.size ());
  const auto native = make_remover (settings, angles, columns);
  Bill bill;
  native->memory (lanes, 1, 1, bill);
  OpenclRemover::memory (settings, shape, groups, bill);
  Allotment memory (bill);
  const Monitor monitor;
  const Cpu cpu (1, monitor);
  for (int64_t g = 0; g < groups; g++)
    native->remove (cpu, memory, shape, g + 1 < groups ? lanes : lanes - 1, values.data () + g * group_values,
                    truth.data () + g * group_values);
  return device.attempt ([&] {
    OpenclQueues queues (device);
    const auto bytes = values.size () * sizeof (float);
    const cl::Buffer in (device.context (), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
                         const_cast<float *> (values.data ())),
        out (device.context (), CL_MEM_READ_WRITE, bytes);
    OpenclRemover remover (queues, setting, problem, settings, shape, memory);
    remover.enqueue (in, groups, out);
    queues.kernels.enqueueReadBuffer (out, CL_TRUE, 0, bytes, got.data ());
    return point::largest_error (got, truth);
  });
}

families::Shape shape_of (const Setting &setting, const Problem &)
{
  constexpr int of_tiles = 256; // work-items of groups whose size is fixed
  return {.group = {static_cast<size_t> (std::max (setting["GROUP"], of_tiles)), 1},
          .local_memory = static_cast<size_t> (setting["RUN"]) * sizeof (uint64_t)};
}

} // namespace

const Family &family ()
{
  static const Family all{.name = "remove-stripes",
                          .words = {{.name = "method",
                                     .help = "Method",
                                     .values = {"offset", "sorting", "large", "dead", "all", "wavelet-fourier"},
                                     .tuned = true},
                                    {.name = "bridge", .help = "Dead columns are filled", .values = {"false", "true"}}},
                          .kernels = {{.name = "opencl",
                                       .summary = "OpenCL kernels",
                                       .source = {"remove-stripes/remove-stripes.cl", opencl::opencl_source},
                                       .lanes = {1},
                                       .parameters = {{.name = "GROUP", .values = {256, 64, 128, 512}},
                                                      {.name = "RUN", .values = {4096, 256, 1024, 2048}},
                                                      {.name = "SEGMENT", .values = {128, 32, 64, 256}}},
                                       .shape = shape_of,
                                       .reference = true}},
                          .any_lanes = true,
                          .native_on_cpus = true,
                          .usual = OpenclRemover::problem_of ({}),
                          .trial = trial_error,
                          .most_error = 1e-5};
  return all;
}

} // namespace sino::remove_stripes
