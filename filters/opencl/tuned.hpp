// SPDX-License-Identifier: LGPL-3.0-or-later
// What 'sinograph tune' found on this machine: small files in the user's cache ($XDG_CACHE_HOME/sinograph/tuning).
#pragma once
#include "device/opencl.hpp"

namespace sino {

// The file for such a device and driver. `kernels`: what else it depends on, their sources above all.
std::string tuned_path (const OpenclDevice &device, const std::vector<std::string> &kernels, const std::string &name);

// Empty when there is none.
std::string read_tuned (const std::string &path);

// In place of what was there; throws Error.
void keep_tuned (const std::string &path, const std::string &content);

} // namespace sino
