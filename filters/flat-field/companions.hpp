// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks or flats of a scan become one frame, or one for each time, without those that are not what they are called.
#pragma once
#include "glue/task.hpp"
#include "kernels/flat-field/references.hpp"

namespace sino::flat_field {

struct Looking {
  const Cpu &cpu;
  Messages &messages;
  Frames::Watch watch;
};

struct Surveyed {
  std::vector<Frame> frames;     // one for each group
  std::vector<double> positions; // of the groups
  double mean = 0;               // of the pixels that were looked at
  bool bright = false;           // most pixels are at the greatest count, which is then taken for a value like others
};

// `what` they are, for messages. `least`: which difference from the others counts.
Surveyed survey_frames (const Frames &frames, std::vector<Group> groups, Reduce how, FrameSamples::Least least,
                        const char *what, const Looking &looking);

// Bytes that this takes besides the result.
size_t surveying_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how);

} // namespace sino::flat_field
