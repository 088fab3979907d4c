// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/flat-field/reduced.hpp"

namespace sino::flat_field {

// Corrects on the replica's device, with darks and flats that the host has reduced.
std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared,
                                       const families::Setting &setting, const families::Problem &problem);

// Buffers of the device, for this many pixels per angle.
void opencl_memory (const Sizing &sizing, size_t pixels, int64_t groups, int64_t angles, Bill &bill);

} // namespace sino::flat_field
