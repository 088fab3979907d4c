// SPDX-License-Identifier: LGPL-3.0-or-later
// Joules that the machine's own counters tell: of the whole CPU and of whole GPUs, all that runs there included.
// What cannot be read is not measured, with the reason; it is never 0 nor a guess.
#pragma once
#include "base/visibility.hpp"
#include "device/energy/energy-counter.hpp"
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sino {

struct Device;

struct EnergyPart {
  std::string name; // "CPU", "cl:0"
  double joules = 0;
  std::string fault; // why it is not measured; "" where it is
};

// What the parts have used that could be measured.
struct EnergyFigures {
  double joules;
  double delay; // energy-delay product, J s
  double speed; // voxels per second and watt, which is voxels per joule
};

struct SINO_VISIBLE Energy {
  std::vector<EnergyPart> parts;

  // None where nothing could be measured. `voxels`: that were reconstructed.
  std::optional<EnergyFigures> figures (double seconds, double voxels) const;
  // The share of one of so many runs.
  Energy per (int runs) const;
};

// A device whose energy is not the CPU's.
struct EnergyGpu {
  std::string id;  // "cl:0"
  std::string pci; // "0000:41:00.0" of NVIDIA's, "" of others
};
SINO_VISIBLE std::vector<EnergyGpu> energy_gpus (const std::vector<std::shared_ptr<const Device>> &devices);

// Where counters are looked for.
struct EnergySources {
  std::string powercap = "/sys/class/powercap";
  std::string nvml = "libnvidia-ml.so.1";
};

class SINO_VISIBLE EnergyMeter
{
public:
  // Never throws; begins at once.
  explicit EnergyMeter (const std::vector<EnergyGpu> &gpus, const EnergySources &sources = {});

  // Begins anew.
  void begin ();
  // To be called every few seconds at least, as counters of CPUs begin again after minutes; costs nothing in between.
  void watch ();
  // What was used since begin ().
  Energy energy ();

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Running {
    EnergyCounter counter;
    double last = 0;
  };
  struct Part {
    std::string name, unknown; // `unknown`: why there are no counters
    std::vector<Running> counters;
    double joules = 0;
    std::string fault; // since begin ()
  };
  std::vector<Part> parts;
  Time began, last;

  template <class Counters> void add (const std::string &name, Counters counters);
  void advance ();
};

} // namespace sino
