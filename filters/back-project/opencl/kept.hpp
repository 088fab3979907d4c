// SPDX-License-Identifier: LGPL-3.0-or-later
// What 'sinograph tune' found on this machine, in the user's cache: tables as tuning.json with one choice each, a file
// for each device, driver, state of the kernels and situation.
#pragma once
#include "back-project/opencl/tuning.hpp"
#include "device/opencl.hpp"
#include <optional>

namespace sino::back_project {

// `lanes`: 0 for what was found when they were free, else for what was found with them given. Null when nothing was
// kept for this situation; what is damaged counts as nothing.
std::optional<TunedChoice> kept_choice (const OpenclDevice &device, const Situation &situation, int lanes);

// In place of what was kept for the same situation. `given`: the lanes were. Returns the file; throws Error.
std::string keep_choice (const OpenclDevice &device, const Situation &situation, const Setting &setting, int lanes,
                         bool given);

// An element of "choices".
std::string entry_json (const Situation &situation, const Setting &setting, int lanes);

} // namespace sino::back_project
