// SPDX-License-Identifier: LGPL-3.0-or-later
// What kernels/back-project/tuning.json says, read and checked.
#pragma once
#include "back-project/opencl/tuning.hpp"

namespace sino::back_project {

struct TunedEntry {
  TunedChoice choice;
  std::string slices, interpolation; // "": any
  int half;                          // -1: any

  bool fits (const Situation &now) const;
};

struct TunedFamily {
  std::string name, vendor, device, like; // "": none, any
  std::string reason;
  double from;                       // least version; -1: none
  std::vector<std::string> prefixes; // of the architecture
  std::vector<TunedEntry> entries;
};

// "8.6" as 8.06, so that 12.10 is after 12.9; 0 of what is no version.
double version (const std::string &architecture);

// Throws Error that names the place and what is wrong there.
std::vector<TunedFamily> read_tuning (const std::string &json);

} // namespace sino::back_project
