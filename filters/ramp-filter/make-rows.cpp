// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/ramp-filter/make-rows.hpp"
#include "device/line-plan.hpp"
#include "device/opencl-memory.hpp"
#include "filters/ramp-filter/clfft-rows.hpp"
#include "filters/ramp-filter/whole-rows.hpp"

namespace sino::ramp_filter {

namespace {

std::optional<LinePlan> own_plan (const OpenclDevice &device, const families::Setting &setting,
                                  const families::Problem &problem)
{
  return setting["FFT"] == 1 ? line_plan (problem["padded"] / 2, device.facts ()) : std::nullopt;
}

} // namespace

void rows_memory (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
                  int64_t rows, Bill &bill)
{
  const auto padded = problem["padded"];
  add_buffers (bill, factors_item, static_cast<size_t> (padded) * sizeof (float));
  if (const auto plan = own_plan (device, setting, problem))
    WholeRows::memory (*plan, bill);
  else
    ClfftRows::memory (device, padded, rows, bill);
}

std::unique_ptr<OpenclRows> make_rows (const RowsSetup &setup)
{
  if (const auto plan = own_plan (setup.device, setup.setting, setup.problem))
    return std::make_unique<WholeRows> (setup, *plan);
  return std::make_unique<ClfftRows> (setup);
}

} // namespace sino::ramp_filter
