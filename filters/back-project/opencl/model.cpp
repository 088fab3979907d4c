// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/back-project/opencl/model.hpp"
#include <algorithm>
#include <cmath>

namespace sino::back_project {

Load load_of (const LocalWork &work)
{
  const double v = work.lanes, q = work.pixels, t = work.fillers, updates = work.items * q * v;
  const double side = std::sqrt (work.items * q), bytes = work.half ? 2 : 4;
  const double cell = bytes * v * (work.advanced ? 2 : 1); // bytes of one store
  Load load;
  // Per ray: position of its bins, and their copy.
  load.constant = 16 * t / updates;
  load.shared = (4 * t + 1.5 * side * cell) / updates;
  load.fp = (4 + (work.advanced ? 4 : 3)) * t / updates;
  load.convert = 2 * t / updates;
  load.shift = 4 * t / updates;
  load.memory_instructions = (2 * t + 1.5 * side) / updates;
  // Per ray and work-item.
  load.constant += 8 / (q * v);
  load.shared += 1 / (q * v);
  load.fp += 2 / (q * v);
  load.shift += 1 / (q * v);
  load.memory_instructions += 1.25 / (q * v); // offsets of four rays per load
  // Per pixel.
  load.fp += (work.round ? 5 : 2) / v;
  load.convert += (work.round ? 0 : 2) / v;
  load.shift += (work.round ? 2 : 1) / v;
  // Per update: reads of two bins.
  load.shared += 2 * bytes;
  load.fp += work.advanced ? 2 : 3;
  load.half += work.half ? 2 : 0;
  load.memory_instructions += std::max (2 * bytes / 16, (work.advanced ? 1 : 2) / v); // at most 16 bytes per load
  return load;
}

LocalWork local_work (const Setting &s, int lanes)
{
  const int side = s["PIXELS"] == 16 ? 64 : 32;
  const int fillers = s["FILLERS"] > 0 ? s["FILLERS"] : side / 2;
  return {.items = side * side / s["PIXELS"],
          .pixels = s["PIXELS"],
          .lanes = lanes,
          .fillers = fillers,
          .advanced = s["ADVANCED"] == 1,
          .half = s["HALF_CACHE"] == 1,
          .round = s["ROUND"] > 0};
}

Bound bound_of (const Load &load, const Rates &rates)
{
  double alu = load.fp * rates.fp_cost, sfu = 0;
  const auto count = [&] (double operations, Rates::Unit unit, double cost) {
    (unit == Rates::Unit::sfu ? sfu : alu) += unit == Rates::Unit::own ? 0 : operations * cost;
  };
  count (load.shift, rates.shift, 1);
  count (load.convert, rates.convert, rates.convert_cost);
  count (load.half, rates.half, rates.half == Rates::Unit::alu ? rates.fp_cost : 1);
  if (rates.both)
    sfu += load.convert;
  const double own = rates.shift == Rates::Unit::own ? load.shift : 0;
  const double bytes = load.shared + (rates.constant_too ? load.constant : 0);
  const double instructions = load.fp + load.convert + load.shift + load.half + load.memory_instructions;

  Bound best{HUGE_VAL, "nothing"};
  const auto limit = [&] (double rate, double needed, const char *unit) {
    if (rate > 0 && needed > 0 && rate / needed < best.updates)
      best = {rate / needed, unit};
  };
  limit (rates.shared, bytes, "local memory");
  limit (rates.alu, alu, "arithmetic");
  limit (rates.alu, own, "integers");
  limit (rates.sfu, sfu, "conversions");
  limit (rates.issue, instructions, "instructions");
  return best;
}

// Rates that most devices have had since 2017. If a device differs, the measurements show it.
Rates rates_of (const OpenclFacts &facts)
{
  const double cycles = 1e6 * facts.clock * facts.units;
  return {.shared = 128 * cycles,
          .alu = 64 * cycles,
          .sfu = 16 * cycles,
          .convert = Rates::Unit::sfu,
          .issue = 128 * cycles};
}

namespace {

// Instructions per ray and pixel. The paper does not give them: those of `reference` are counted, those of `window` are
// derived from speeds measured on other boards.
double window_instructions (int lanes)
{
  return lanes == 4 ? 68 : 40;
}
double reference_instructions (int lanes)
{
  return 60 + 12 * lanes; // positions of 64 bits; all bins through the cache
}

// Cycles per ray and pixel of a CPU core. `blocked` fills vectors with lanes; for others the compiler may vectorise.
double cycles_on_cpu (std::string_view variant, int lanes)
{
  if (variant == "blocked")
    return 1.75 * std::max (1, lanes / 16); // 7 instructions, four per cycle
  return variant == "window" ? 11 : 15 + lanes;
}

double speed_of_local (const Setting &setting, int lanes, const OpenclFacts &facts, const Measured &measured)
{
  if (!measured.local.kernel)
    return 0;
  const auto rates = rates_of (facts);
  const auto bound = [&] (const Setting &s, int n) { return bound_of (load_of (local_work (s, n)), rates).updates; };
  return measured.updates * bound (setting, lanes) / bound (measured.local, measured.lanes);
}

// Returns the updates per second, including updates in lanes without a slice.
double speed (const Proposal &choice, const OpenclFacts &facts, const Measured &measured)
{
  const std::string_view variant = choice.setting.kernel->name;
  constexpr std::string_view known[] = {"reference", "texture", "local", "hybrid", "window", "blocked"};
  if (std::find (std::begin (known), std::end (known), variant) == std::end (known))
    return 0;
  const double cycles = 1e6 * facts.clock * facts.units;
  if (variant == "texture")
    return measured.texels * choice.lanes;
  if (variant == "local")
    return speed_of_local (choice.setting, choice.lanes, facts, measured);
  if (variant == "hybrid") {
    // Table 23: the hybrid reaches 0.7 of the sum, so it pays if the slower kernel has over 0.4 of the faster one's
    // speed.
    const double a = measured.texels * choice.lanes, b = speed_of_local (choice.setting, choice.lanes, facts, measured);
    return a > 0 && b > 0 ? 0.7 * (a + b) : 0;
  }
  if (!facts.gpu)
    return cycles * choice.lanes / cycles_on_cpu (variant, choice.lanes);
  if (variant == "blocked") // one work-item per group
    return cycles * choice.lanes / 200;
  // These kernels are assumed to reach the same share of their bound as `local` of its bound.
  const double bound = bound_of (load_of (local_work (measured.local, measured.lanes)), rates_of (facts)).updates;
  const double share = measured.updates > 0 ? std::min (1.0, measured.updates / bound) : 0.5;
  const double instructions =
      variant == "window" ? window_instructions (choice.lanes) : reference_instructions (choice.lanes);
  return share * 128 * cycles * choice.lanes / instructions;
}

} // namespace

Prediction predicted (const Proposal &proposal, const OpenclFacts &facts, const Problem &problem,
                      const Measured &measured)
{
  Prediction prediction{speed (proposal, facts, measured) / (problem.rows > 1 ? 1 : proposal.lanes), {}};
  if (proposal.setting.kernel->name == std::string_view ("local"))
    prediction.limit = bound_of (load_of (local_work (proposal.setting, proposal.lanes)), rates_of (facts)).unit;
  return prediction;
}

} // namespace sino::back_project
