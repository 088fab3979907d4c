// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/retrieve-phase/opencl/retrieval.hpp"
#include <memory>

namespace sino::retrieve_phase {

// With our own transforms or clFFT's, as the setting says.
std::unique_ptr<OpenclRetrieval> make_retrieval (const RetrievalSetup &setup);
// Memory for blocks of `images` images. Throws Error if lines are too long.
void retrieval_memory (const OpenclDevice &device, const families::Setting &setting, const Plane &plane, int64_t images,
                       Bill &bill);

} // namespace sino::retrieve_phase
