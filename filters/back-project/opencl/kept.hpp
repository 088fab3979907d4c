// SPDX-License-Identifier: LGPL-3.0-or-later
// What 'sinograph tune' found on this machine, in the user's cache: a table as tuning.json, a file for each device,
// driver and state of the kernels.
#pragma once
#include "back-project/opencl/tuning.hpp"
#include "device/opencl.hpp"
#include <optional>

namespace sino::back_project {

// Null when nothing was kept for this situation; what is damaged counts as nothing.
std::optional<TunedChoice> kept_choice (const OpenclDevice &device, const Situation &situation);

// Goes before what was kept for the same situation. Returns the file; throws Error.
std::string keep_choice (const OpenclDevice &device, const Situation &situation, const Setting &setting, int lanes);

// An element of "choices".
std::string entry_json (const Situation &situation, const Setting &setting, int lanes);

} // namespace sino::back_project
