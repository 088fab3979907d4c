// SPDX-License-Identifier: LGPL-3.0-or-later
// The tuning table of a family (tuning.json), read and checked: which kernels are fast on which devices.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

inline constexpr char default_of_all[] = "default of all"; // value of Proposal::origin

struct TunedEntry {
  Proposal proposal;
  std::optional<bool> many;             // whether it is for several slices at once; none: for any number
  std::map<std::string, int64_t> words; // values of words that it is for
  std::optional<double> error;          // relative; none: not known
  double gups = 0;                      // 0: not known

  bool fits (const Problem &problem) const;
};

// Devices of the same architecture, of one vendor, or all.
struct Architecture {
  std::string name, vendor, device, like; // "": none; for vendor and device: any
  std::string reason;
  double from;                       // lowest version; -1: none
  std::vector<std::string> prefixes; // beginnings of the names of the device's architecture
  std::vector<TunedEntry> entries;
};

// "8.6" becomes 8.06, so that 12.10 is above 12.9; 0 if the text is not a version.
SINO_VISIBLE double version (const std::string &architecture);

// Parses a table. Throws Error with the place and the mistake.
SINO_VISIBLE std::vector<Architecture> read_tuning (const Family &family, const std::string &json);

// A proposal as JSON: an element of "choices".
SINO_VISIBLE std::string entry_json (const Family &family, const Proposal &proposal, const Problem &problem);

} // namespace sino::families
