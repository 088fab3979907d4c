// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats of a scan become one frame, or one for each time, without those that are not what they are called.
#pragma once
#include "filters/flat-field/odd-frames.hpp"

namespace sino::flat_field {

struct Looking {
  const Cpu &cpu;
  Messages &messages;
  Frames::Watch watch;
};

struct Companion {
  std::vector<Frame> frames;     // one for each group
  std::vector<double> positions; // of the groups
  std::vector<int64_t> left_out; // rising
};

struct Surveyed {
  Companion darks, flats;
  float top = std::numeric_limits<float>::infinity (); // counts end here, before the type of the flats does
  bool bright = false; // most pixels of the flats are at the greatest count, which is taken for a value like others
};

// Either may be null. Flats are one group for each time where the times `matter`.
Surveyed survey (const Frames *darks, const Frames *flats, bool times_matter, Reduce how, const Looking &looking);

// The mean of all frames that are right, and which are not. Says these shortly: 'flat-field' says why, if one follows.
struct Means {
  std::vector<float> dark, flat;  // (row, column); no dark where there are none
  std::vector<int64_t> odd_flats; // rising
};
Means mean_companions (const Companions &companions, const Looking &looking);
size_t mean_companions_bytes (const Companions &companions); // besides the result

// Bytes that this takes of either besides the result.
size_t surveying_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how);

} // namespace sino::flat_field
