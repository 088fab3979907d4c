// SPDX-License-Identifier: LGPL-3.0-or-later
// A few pixels of each frame, seen while frames are read, and which frames they show to be others than the rest: the
// shutter was open in a dark, closed in a flat, or the sample was in the beam.
#pragma once
#include "stream/element.hpp"
#include "stream/rows.hpp"
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace sino::flat_field {

class FrameSamples
{
public:
  // Values from `top` on are no numbers.
  FrameSamples (int64_t frames, int64_t rows, int64_t columns, float top);

  // Takes what it wants of a piece (row, column) of a frame.
  void take (int64_t frame, Interval rows, Element element, const std::byte *piece);

  // What a difference counts from: this share of a patch's value, or this much.
  struct Least {
    double share, value;
  };

  struct Odd {
    std::vector<int64_t> frames; // that differ from the others
    bool many = false;           // too many to say which ones are wrong
  };
  // Finds the odd ones of some frames.
  Odd odd (std::span<const int64_t> some, Least least) const;

  double level (int64_t frame) const; // the mean of its patches, but for the least and the greatest ones
  // Most frames differ from the one before them, and pixels from those beside them where that can be told. What a
  // single frame has beside each other tells alone.
  bool is_noisy () const;
  static size_t bytes_for (int64_t frames);

private:
  int64_t rows, columns;
  float top;
  std::vector<float> values;                // [frame][patch]; NaN in what holds no number
  std::atomic<int64_t> uneven{0}, peaks{0}; // neighbours of three that are not all the same; middle ones beyond both

  std::span<const float> patches_of (int64_t frame) const;
  void count_peaks (std::span<const float> line);
  std::vector<float> across (std::span<const int64_t> some, size_t patch) const;
  bool is_odd (int64_t frame, std::span<const float> medians, double noise, Least least) const;
};

} // namespace sino::flat_field
