// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernels are fast on which devices, as data: the tuning.json of a family, read and checked.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

inline constexpr char default_of_all[] = "default of all"; // as a proposal's origin

struct TunedEntry {
  Proposal proposal;
  std::optional<bool> many;             // slices at once; none: any number
  std::map<std::string, int64_t> words; // values of the family's words that it is for

  bool fits (const Problem &problem) const;
};

// Devices that are built alike, or all of a vendor, or all.
struct Architecture {
  std::string name, vendor, device, like; // "": none, any
  std::string reason;
  double from;                       // least version; -1: none
  std::vector<std::string> prefixes; // how the device's architecture begins
  std::vector<TunedEntry> entries;
};

// "8.6" as 8.06, so that 12.10 is after 12.9; 0 of what is no version.
SINO_VISIBLE double version (const std::string &architecture);

// Throws Error that names the place and what is wrong there.
SINO_VISIBLE std::vector<Architecture> read_tuning (const Family &family, const std::string &json);

// An element of "choices".
SINO_VISIBLE std::string entry_json (const Family &family, const Proposal &proposal, const Problem &problem);

} // namespace sino::families
