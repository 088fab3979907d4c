// SPDX-License-Identifier: LGPL-3.0-or-later
// Reduces darks and flats of a scan to one frame, or one for each time, without frames that are not what they are
// called.
#pragma once
#include "filters/flat-field/odd-frames.hpp"

namespace sino::flat_field {

struct Looking {
  const Cpu &cpu;
  Messages &messages;
  Frames::Watch watch;
};

struct Companion {
  std::vector<Frame> frames;     // of each group
  std::vector<double> positions; // of the groups
  std::vector<int64_t> left_out; // rising
};

struct Surveyed {
  Companion darks, flats;
  float top = std::numeric_limits<float>::infinity (); // counts saturate here, below the maximum of the flats' type
  bool bright = false; // most pixels of the flats are at the greatest count, which is then a valid value
};

// Either may be null. If times `matter`, flats form one group for each time.
Surveyed survey (const Frames *darks, const Frames *flats, bool times_matter, Reduce how, const Looking &looking);

// Means of all valid frames, and the invalid ones. Writes short messages, as a following 'flat-field' writes full ones.
struct Means {
  std::vector<float> dark, flat;  // [row][column]; `dark` is empty without darks
  std::vector<int64_t> odd_flats; // rising
};
Means mean_companions (const Companions &companions, const Looking &looking);
size_t mean_companions_bytes (const Companions &companions); // besides the result

// Bytes needed to survey darks or flats, besides the result.
size_t surveying_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how);

} // namespace sino::flat_field
