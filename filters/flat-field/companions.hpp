// SPDX-License-Identifier: LGPL-3.0-or-later
// Reduces the darks and flats of a scan to one frame, or to one frame for each time, and leaves out wrong frames, such
// as darks with light.
#pragma once
#include "filters/flat-field/odd-frames.hpp"

namespace sino::flat_field {

struct Looking {
  const Cpu &cpu;
  Messages &messages;
  Frames::Watch watch;
};

struct Companion {
  std::vector<Frame> frames;     // the reduced frame of each group
  std::vector<double> positions; // time of each group
  std::vector<int64_t> left_out; // numbers of the frames that are left out, rising
};

struct Surveyed {
  Companion darks, flats;
  float top = std::numeric_limits<float>::infinity (); // counts saturate here, below the maximum of the flats' type
  bool bright = false; // most pixels of the flats are at the greatest count, which is then a valid value
};

// Reduces darks and flats; either may be null. `times_matter`: whether flats form one group for each time.
Surveyed survey (const Frames *darks, const Frames *flats, bool times_matter, Reduce how, const Looking &looking);

// Means of all valid frames, and the numbers of the invalid flats. mean_companions () writes short messages, because a
// following 'flat-field' writes full ones.
struct Means {
  std::vector<float> dark, flat;  // [row][column]; `dark` is empty without darks
  std::vector<int64_t> odd_flats; // rising
};
Means mean_companions (const Companions &companions, const Looking &looking);
size_t mean_companions_bytes (const Companions &companions); // besides the result

// Bytes needed to survey darks or flats, besides the result.
size_t surveying_bytes (const Frames &frames, const std::vector<Group> &groups, Reduce how);

} // namespace sino::flat_field
