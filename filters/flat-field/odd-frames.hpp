// SPDX-License-Identifier: LGPL-3.0-or-later
// Which darks and flats are not what they are called.
#pragma once
#include "glue/task.hpp"
#include "kernels/flat-field/frame-samples.hpp"
#include "kernels/flat-field/references.hpp"

namespace sino::flat_field {

// The least dark and the greatest flat: what one frame alone can be compared with. NaN where there is none.
struct Levels {
  double dark, flat;
};

enum class Which { darks, flats };

// Numbers of the frames that are to be left out, rising. `times`: frames that were taken together.
std::vector<int64_t> odd_frames (Which which, const FrameSamples &samples, const std::vector<Group> &times,
                                 FrameSamples::Least least, const Levels &levels, Messages &messages);

} // namespace sino::flat_field
