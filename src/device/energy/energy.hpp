// SPDX-License-Identifier: LGPL-3.0-or-later
// Energy in joules from the machine's own counters: of the whole CPU and whole GPUs, including other programs on them.
// A part that cannot be read is reported as not measured, with the reason, never as 0 or as a guess.
#pragma once
#include "base/visibility.hpp"
#include "device/energy/powercap.hpp"
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
  std::string fault; // reason why it is not measured; "" if it is
};

// Totals over the parts that could be measured.
struct EnergyFigures {
  double joules;
  double delay; // energy-delay product, J s
  double speed; // voxels per second and watt, which is voxels per joule
};

struct SINO_VISIBLE Energy {
  std::vector<EnergyPart> parts;

  // None if nothing could be measured. `voxels`: number of reconstructed voxels.
  std::optional<EnergyFigures> figures (double seconds, double voxels) const;
  // The share of one of `runs` runs.
  Energy per (int runs) const;
};

// A device whose energy the CPU's counters do not include.
struct EnergyGpu {
  std::string id;  // "cl:0"
  std::string pci; // "0000:41:00.0" for NVIDIA, "" for others
};
SINO_VISIBLE std::vector<EnergyGpu> energy_gpus (const std::vector<std::shared_ptr<const Device>> &devices);

// Locations of counters.
struct EnergySources {
  std::string powercap = "/sys/class/powercap";
  std::string nvml = "libnvidia-ml.so.1";
};

class SINO_VISIBLE EnergyMeter
{
public:
  // Never throws; starts measuring at once.
  explicit EnergyMeter (const std::vector<EnergyGpu> &gpus, const EnergySources &sources = {});

  // Restarts the measurement.
  void begin ();
  // Call it at least every few seconds, because CPU counters restart after minutes; cheap if called more often.
  void watch ();
  // Energy used since begin ().
  Energy energy ();

private:
  using Time = std::chrono::steady_clock::time_point;
  struct Running {
    EnergyCounter counter;
    double last = 0;
  };
  struct Part {
    std::string name, unknown; // `unknown`: reason why there are no counters
    std::vector<Running> counters;
    double joules = 0;
    std::string fault; // reason why this part could not be read since begin (); "" if it could
  };
  std::vector<Part> parts;
  Time began, last;

  template <class Counters> void add (const std::string &name, Counters counters);
  void advance ();
};

} // namespace sino
