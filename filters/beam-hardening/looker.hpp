// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that looks at rows of a scan before the run, and what it finds.
#pragma once
#include "filters/beam-hardening/flatness.hpp"
#include "filters/beam-hardening/rough-scan.hpp"
#include "glue/task.hpp"
#include <map>
#include <mutex>

namespace sino::beam_hardening {

struct SeenRow {
  Flatness flatness;
  double highest = 0; // attenuation that only 0.1 % of the bins exceed
};

struct Findings {
  std::mutex mutex;
  std::map<int64_t, SeenRow> rows;
  std::string missed; // why nothing could be looked at; "" otherwise
};

// A correction that makes the object flat.
struct Found {
  std::vector<double> coefficients{1};
  double highest = 0; // the curve is a straight line above it
  std::string said;   // the result for people
  std::string doubt;  // what may be wrong with it; "" if nothing
};
// `why`: why there are no rows; "" if there are.
Found correction_of (const Findings &findings, const std::string &why);

class Looker final : public Worker
{
public:
  Looker (const Replica &replica, const RoughScan &s, Findings &f)
      : cpu (replica.cpu), monitor (replica.monitor), scan (s), findings (f)
  {
  }
  void run (std::span<Input *const> inputs, Output *) override;
  static void memory (const RoughScan &scan, const Sizing &sizing, Bill &bill);

private:
  const Cpu &cpu;
  const Monitor &monitor;
  const RoughScan &scan;
  Findings &findings;
};

} // namespace sino::beam_hardening
