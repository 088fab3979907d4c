// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds darks and flats that are not what they are called.
#pragma once
#include "filters/flat-field/levels.hpp"
#include "glue/task.hpp"
#include "kernels/flat-field/frame-samples.hpp"
#include "kernels/flat-field/references.hpp"

namespace sino::flat_field {

// Text like "3, 10", of the first few numbers.
std::string numbers_text (const std::vector<int64_t> &numbers);

enum class Which { darks, flats };

// Numbers of the frames to leave out, rising. `times`: groups of frames taken together.
std::vector<int64_t> odd_frames (Which which, const FrameSamples &samples, const std::vector<Group> &times,
                                 FrameSamples::Least least, const Levels &levels, Messages &messages);

} // namespace sino::flat_field
