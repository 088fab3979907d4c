// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/reconstruct/device.hpp"
#include "device/devices.hpp"
#include "device/opencl.hpp"
#include "families/table.hpp"
#include "filters/back-project/opencl/family.hpp"
#include "filters/back-project/opencl/limits.hpp"
#include "filters/back-project/opencl/model.hpp"
#include "kernels/peaks/peaks.hpp"
#include <algorithm>
#include <iterator>
#include <string>

namespace sino::reconstruct {

using namespace back_project;

namespace {

// Share of the theoretical rate of a GPU's units that kernels reach.
constexpr double reached = 0.6;

// Memory bandwidth in bytes per float lane and cycle; plain kernels reach the share `memory_reached`. Devices do not
// report it. Data sheets give 0.1 (H100) to 0.16 (A100, MI250X) for memory stacked on the package, and 0.025 (RTX 4090)
// to 0.06 (RTX 3090, Arc A770) for others.
constexpr double memory_reached = 0.37;
double bytes_of_lane (const OpenclFacts &facts)
{
  const std::string &name = facts.architecture;
  constexpr const char *stacked[] = {"6.0",    "7.0",    "8.0",    "9.0",   "10.0",
                                     "gfx906", "gfx908", "gfx90a", "gfx94", "gfx95"};
  return std::any_of (std::begin (stacked), std::end (stacked), [&] (const char *s) { return name.starts_with (s); })
             ? 0.1
             : 0.03;
}

// Updates per second of the kernel that the table of tunings selects.
double updates_on (const OpenclFacts &facts, const Work &work)
{
  auto problem = family ().usual;
  problem.rows = work.slices;
  problem.words["columns"] = work.columns;
  problem.words["projections"] = work.projections;
  const auto list = families::tabled (family (), facts, problem);
  if (!facts.gpu) // on CPUs the model needs no measurement
    return list.empty () ? 0 : predicted (list[0], facts, problem, {}).rate;
  problem.lanes = work.slices > 1 ? 4 : 1;
  const Setting local{families::find_kernel (family (), "local"), {}};
  double most = bound_of (load_of (local_work (local, problem.lanes)), rates_of (facts)).updates;
  if (!list.empty () && list[0].setting.kernel != local.kernel)
    for (const auto &limit : limits_of (list[0].setting, problem, facts))
      if (limit.unit == std::string_view ("texture"))
        most = std::max (most, limit.rate);
  return reached * most * std::min (1.0, float_lanes (facts) / 64); // Intel's units have an eighth of the lanes
}

} // namespace

Machine machine_of (const OpenclFacts &facts, int threads, const Work &work)
{
  const auto updates = updates_on (facts, work);
  if (!facts.gpu) // gridding runs in the native kernels
    return {facts.units, peaks::vector_bytes (), updates};
  const auto lanes = 1e6 * facts.clock * facts.units * float_lanes (facts); // float lanes times cycles per second
  return {.threads = threads,
          .vector_bytes = peaks::vector_bytes (),
          .direct_updates = updates,
          .gpu = {memory_reached * bytes_of_lane (facts) * lanes, lanes / 128}};
}

Machine machine_of (const Device &device, int threads, const Work &work)
{
  if (device.kind != Device::Kind::opencl)
    return {threads, peaks::vector_bytes ()};
  return machine_of (as_opencl (device).facts (), threads, work);
}

} // namespace sino::reconstruct
