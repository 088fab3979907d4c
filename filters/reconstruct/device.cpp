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
#include <optional>

namespace sino::reconstruct {

using namespace back_project;

namespace {

std::optional<OpenclFacts> facts_of (const Device &device)
{
  if (device.kind != Device::Kind::opencl)
    return {};
  return as_opencl (device).facts ();
}

// Kernels reach about this share of what the units of a GPU allow.
constexpr double reached = 0.6;

// Updates per second of the kernel that the table of tunings has for it.
double updates_on (const OpenclFacts &facts, const Work &work)
{
  auto problem = family ().usual;
  problem.rows = work.slices;
  problem.words["columns"] = work.columns;
  problem.words["projections"] = work.projections;
  const auto list = families::tabled (family (), facts, problem);
  if (!facts.gpu) // what the model says of CPUs needs no measurement
    return list.empty () ? 0 : predicted (list[0], facts, problem, {}).rate;
  problem.lanes = work.slices > 1 ? 4 : 1;
  const Setting local{families::find_kernel (family (), "local"), {}};
  double most = bound_of (load_of (local_work (local, problem.lanes)), rates_of (facts)).updates;
  if (!list.empty () && list[0].setting.kernel != local.kernel)
    for (const auto &limit : limits_of (list[0].setting, problem, facts))
      if (limit.unit == std::string_view ("texture"))
        most = std::max (most, limit.rate);
  return reached * most;
}

} // namespace

Machine machine_of (const Device &device, int threads, const Work &work)
{
  const auto facts = facts_of (device);
  if (!facts)
    return {threads, peaks::vector_bytes ()};
  return {facts->gpu ? threads : facts->units, peaks::vector_bytes (), updates_on (*facts, work)};
}

bool is_gpu (const Device &device)
{
  const auto facts = facts_of (device);
  return facts && facts->gpu;
}

} // namespace sino::reconstruct
