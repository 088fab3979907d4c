// SPDX-License-Identifier: LGPL-3.0-or-later
// What the launches of phase retrieval take on an OpenCL device, by its clock: retrieve-phase-opencl DEVICE SIZE REACH
// PROJECTIONS RUNS PARAMETERS. DEVICE is the place in the ICD loader's order; projections have SIZE x SIZE pixels and
// are padded by REACH; PARAMETERS are those of the kernel, as FFT=1,COLUMNS=4, and FFT must be 1.
#include "families/kernels.hpp"
#include "filters/retrieve-phase/opencl/family.hpp"
#include "filters/retrieve-phase/opencl/maker.hpp"
#include "filters/retrieve-phase/opencl/own-lines.hpp"
#include <cstdio>
#include <cstdlib>

using namespace sino;
using namespace sino::retrieve_phase;

namespace {

constexpr const char *names[] = {"transform_rows", "filter_columns", "restore_rows"};

double seconds_of (const cl::Event &event)
{
  event.wait ();
  return 1e-9 * static_cast<double> (event.getProfilingInfo<CL_PROFILING_COMMAND_END> () -
                                     event.getProfilingInfo<CL_PROFILING_COMMAND_START> ());
}

int measure (const OpenclDevice &device, const Plane &plane, int64_t projections, int runs, const char *parameters)
{
  const auto setting = families::parse_setting (family (), "opencl", parameters);
  const auto problem = problem_of (Method::paganin, plane);
  if (const auto why = own_refusal (setting, problem, device.facts ()); setting["FFT"] == 0 || !why.empty ()) {
    std::fprintf (stderr, "%s\n", why.empty () ? "FFT=1 is missing" : why.c_str ());
    return 2;
  }
  const auto plan = own_plan (device, setting, plane);
  const Monitor monitor;
  const auto responses = responses_of (
      plane, [] (double squared) { return 1 / (1 + 1000 * squared); }, Cpu (0, monitor));
  Bill bill;
  OwnLines::memory (plane, *plan, projections, bill);
  Allotment memory (bill);
  OwnLines lines ({device, setting, problem, plane, responses, memory}, *plan);
  const auto bytes = static_cast<size_t> (projections * plane.rows * plane.columns) * sizeof (float);
  const cl::CommandQueue queue (device.context (), device.device, CL_QUEUE_PROFILING_ENABLE);
  const cl::Buffer in (device.context (), CL_MEM_READ_WRITE, bytes), out (device.context (), CL_MEM_READ_WRITE, bytes);
  queue.enqueueFillBuffer (in, cl_float{0.5f}, 0, bytes);
  const Images images{in, projections, {0, plane.rows}, out};
  std::printf ("%s: %d projections of %d x %d, padded to %d x %d; %d at once; groups of %d rows, %d columns\n",
               device.name.c_str (), static_cast<int> (projections), static_cast<int> (plane.rows),
               static_cast<int> (plane.columns), static_cast<int> (plane.height), static_cast<int> (plane.width),
               static_cast<int> (lines.at_once ()), plan->rows.plan.lines, plan->columns.columns);
  double seconds[3] = {};
  for (int run = -1; run < runs; run++)
    for (int64_t first = 0; first < projections; first += lines.at_once ()) {
      const OwnLines::Part part{first, std::min (lines.at_once (), projections - first)};
      const cl::Event events[] = {lines.transform_rows (queue, images, part), lines.filter_columns (queue, part),
                                  lines.restore_rows (queue, images, part)};
      for (size_t i = 0; i < 3; i++)
        seconds[i] += run < 0 ? 0 : seconds_of (events[i]); // the first run warms up
    }
  const auto frequencies = static_cast<double> (plan->frequencies (plane)),
             pixels = 4 * static_cast<double> (plane.rows * plane.columns);
  const double moved[] = {pixels + frequencies, 2 * frequencies, frequencies + pixels};
  double all = 0;
  for (size_t i = 0; i < 3; i++) {
    const auto each = seconds[i] / (runs * static_cast<double> (projections));
    std::printf ("%-15s %.4f ms per projection, %.0f GB/s\n", names[i], 1e3 * each, 1e-9 * moved[i] / each);
    all += each;
  }
  std::printf ("%.4f ms per projection, %.3f s for 2048\n", 1e3 * all, 2048 * all);
  return 0;
}

} // namespace

int main (int argc, char **argv)
{
  const auto number = [&] (int i, int64_t usual) { return argc > i ? std::strtoll (argv[i], nullptr, 10) : usual; };
  try {
    const auto place = static_cast<size_t> (number (1, 0));
    if (place >= opencl_devices ().size ())
      return 77;
    const auto &device = *opencl_devices ()[place];
    const auto size = number (2, 2048);
    return device.attempt ([&] {
      return measure (device, Plane (size, size, static_cast<double> (number (3, 512))), number (4, 64),
                      static_cast<int> (number (5, 5)), argc > 6 ? argv[6] : "FFT=1");
    });
  } catch (const Error &error) {
    std::fprintf (stderr, "%s\n", error.what ());
    return 1;
  }
}
