// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/energy/energy.hpp"
#include "base/error.hpp"
#include "device/energy/nvml.hpp"
#include "device/energy/powercap.hpp"
#include "device/opencl.hpp"
#include <algorithm>

namespace sino {

using std::chrono::steady_clock;

std::optional<EnergyFigures> Energy::figures (double seconds, double voxels) const
{
  double joules = 0;
  for (const auto &part : parts)
    joules += part.joules;
  if (joules == 0)
    return {};
  return EnergyFigures{joules, joules * seconds, voxels / joules};
}

Energy Energy::per (int runs) const
{
  auto share = *this;
  for (auto &part : share.parts)
    part.joules /= runs;
  return share;
}

// Only devices with their own memory; others are the CPU or part of its package. A GPU that two drivers offer is
// counted once.
std::vector<EnergyGpu> energy_gpus (const std::vector<std::shared_ptr<const Device>> &devices)
{
  std::vector<EnergyGpu> gpus;
  for (const auto &device : devices) {
    if (device->kind != Device::Kind::opencl)
      continue;
    const auto &opencl = dynamic_cast<const OpenclDevice &> (*device);
    if (!opencl.is_gpu || opencl.shares_host_memory)
      continue;
    EnergyGpu gpu{device->id, opencl.nvidia_address ()};
    if (std::ranges::none_of (gpus, [&] (const auto &g) { return !g.pci.empty () && g.pci == gpu.pci; }))
      gpus.push_back (std::move (gpu));
  }
  return gpus;
}

// --- the meter ---

EnergyMeter::EnergyMeter (const std::vector<EnergyGpu> &gpus, const EnergySources &sources)
{
  add ("CPU", [&] { return powercap_counters (sources.powercap); });
  std::shared_ptr<const Nvml> nvml;
  for (const auto &gpu : gpus)
    add (gpu.id, [&] {
      if (gpu.pci.empty ())
        fail (SINO_ERROR_DEVICE,
              "only NVIDIA GPUs are supported, and the driver must give their position on the PCI bus");
      if (!nvml)
        nvml = std::make_shared<Nvml> (sources.nvml);
      constexpr double interval = 0.1; // measured on an H100
      return std::vector{EnergyCounter{[nvml, pci = gpu.pci] { return nvml->joules (pci); }, 0, interval}};
    });
  begin ();
}

template <class Counters> void EnergyMeter::add (const std::string &name, Counters counters)
{
  auto &part = parts.emplace_back ();
  part.name = name;
  try {
    for (auto &counter : counters ())
      part.counters.push_back ({std::move (counter)});
  } catch (const Error &error) {
    part.unknown = error.what ();
  }
}

void EnergyMeter::begin ()
{
  began = last = steady_clock::now ();
  for (auto &part : parts) {
    part.joules = 0;
    part.fault = part.unknown;
    try {
      for (auto &[counter, before] : part.counters)
        before = counter.read ();
    } catch (const Error &error) {
      part.fault = error.what ();
    }
  }
}

// Increase of a counter in `seconds`.
static double step (const EnergyCounter &counter, double before, double now, double seconds)
{
  constexpr double most_watts = 1000; // power of a CPU package: twice that of the largest one
  if (counter.range > 0 && seconds * most_watts > counter.range)
    fail (SINO_ERROR_DEVICE, "its counter may have overflowed in the %.3g s between two readings", seconds);
  const double joules = now >= before ? now - before : now + counter.range - before;
  if (!(joules >= 0 && joules <= 10 * most_watts * (seconds + 1)))
    fail (SINO_ERROR_DEVICE, "its counter was reset: it changed from %g J to %g J in %.3g s", before, now, seconds);
  return joules;
}

void EnergyMeter::advance ()
{
  const auto now = steady_clock::now ();
  const auto seconds = std::chrono::duration<double> (now - last).count ();
  last = now;
  for (auto &part : parts) {
    if (!part.fault.empty ())
      continue;
    try {
      for (auto &[counter, before] : part.counters) {
        const auto reading = counter.read ();
        part.joules += step (counter, before, reading, seconds);
        before = reading;
      }
    } catch (const Error &error) {
      part.fault = error.what ();
    }
  }
}

void EnergyMeter::watch ()
{
  if (steady_clock::now () - last > std::chrono::seconds (5))
    advance ();
}

// If a counter updates just before one end of the run and just after the other, the error is up to one interval's
// share.
Energy EnergyMeter::energy ()
{
  constexpr int least_moves = 10;
  advance ();
  const auto seconds = std::chrono::duration<double> (last - began).count ();
  Energy all;
  for (const auto &part : parts) {
    auto fault = part.fault;
    const auto needed = part.counters.empty () ? 0 : least_moves * part.counters[0].counter.interval;
    if (fault.empty () && seconds < needed)
      fault = text ("its counter is accurate only for at least %.3g s, but %.3g s were measured", needed, seconds);
    else if (fault.empty () && part.joules == 0)
      fault = "its counter did not change";
    all.parts.push_back ({part.name, fault.empty () ? part.joules : 0, fault});
  }
  return all;
}

} // namespace sino
