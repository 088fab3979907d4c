// SPDX-License-Identifier: LGPL-3.0-or-later
// Which darks and flats are not what they are called.
#pragma once
#include "filters/flat-field/levels.hpp"
#include "glue/task.hpp"
#include "kernels/flat-field/frame-samples.hpp"
#include "kernels/flat-field/references.hpp"

namespace sino::flat_field {

// "3, 10", the first few.
std::string numbers_text (const std::vector<int64_t> &numbers);

enum class Which { darks, flats };

// Numbers of the frames that are to be left out, rising. `times`: frames that were taken together.
std::vector<int64_t> odd_frames (Which which, const FrameSamples &samples, const std::vector<Group> &times,
                                 FrameSamples::Least least, const Levels &levels, Messages &messages);

} // namespace sino::flat_field
