// SPDX-License-Identifier: LGPL-3.0-or-later
#include "reconstruct/device.hpp"
#include "back-project/opencl/limits.hpp"
#include "back-project/opencl/model.hpp"
#include "device/opencl.hpp"
#include "peaks/peaks.hpp"
#include <algorithm>
#include <optional>

namespace sino::reconstruct {

using namespace back_project;

namespace {

std::optional<OpenclFacts> facts_of (const Device &device)
{
  if (device.kind != Device::Kind::opencl)
    return {};
  return dynamic_cast<const OpenclDevice &> (device).facts ();
}

// Of what the units of a GPU allow, kernels reach about so much.
constexpr double reached = 0.6;

// Updates per second of the kernel that the table of tunings has for it.
double updates_on (const OpenclFacts &facts, const Work &work)
{
  const Situation situation{work.slices > 1, Interpolation::linear, false};
  const auto choices = tuned_choices (facts, situation);
  if (!facts.gpu) // what the model says of CPUs needs no measurement
    return choices.empty () ? 0 : predicted (choices[0], facts, situation, {});
  const Problem problem{situation.many ? 4 : 1, false, Interpolation::linear, false, work.columns, work.projections};
  const Setting local{"local", {}};
  double most = bound_of (load_of (local_work (local, problem.lanes)), rates_of (facts)).updates;
  if (!choices.empty () && choices[0].setting.variant != "local")
    most = std::max (most, limits_of (choices[0].setting, problem, facts).texture);
  return reached * most;
}

} // namespace

Machine machine_of (const Device &device, int threads, const Work &work)
{
  const auto facts = facts_of (device);
  if (!facts)
    return {threads, kernels::vector_bytes ()};
  return {facts->gpu ? threads : facts->units, kernels::vector_bytes (), updates_on (*facts, work)};
}

bool is_gpu (const Device &device)
{
  const auto facts = facts_of (device);
  return facts && facts->gpu;
}

} // namespace sino::reconstruct
