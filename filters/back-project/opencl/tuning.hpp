// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernels are fast on which devices, as data: kernels/back-project/tuning.json, whose head explains it.
#pragma once
#include "back-project/opencl/variant.hpp"

namespace sino::back_project {

// What a choice depends on besides the device.
struct Situation {
  bool many; // slices at once, else one
  Interpolation interpolation;
  bool half;
};

struct TunedChoice {
  Setting setting;
  int lanes;
  std::string origin; // where it comes from: the family's name, "default of nvidia" ...
  std::string reason; // why it is fast there
};

inline constexpr char default_of_all[] = "default of all"; // as origin

// The family's choices first, then those of the vendor, then those for all; each list with the best first.
std::vector<TunedChoice> tuned_choices (const OpenclFacts &facts, const Situation &situation);

// The name of the device's family in the table; "" when it is in none.
std::string family_of (const OpenclFacts &facts);

// The choices of all families of another table for a situation. Throws Error that names the place and what is wrong
// there.
std::vector<TunedChoice> choices_in (const std::string &json, const Situation &situation);

// Reads a table. Throws Error that names the place and what is wrong there.
void check_tuning (const std::string &json);

} // namespace sino::back_project
