// SPDX-License-Identifier: LGPL-3.0-or-later
// A few pixels of each frame, seen while frames are read, and which frames they show to be others than the rest: the
// shutter was open in a dark, closed in a flat, or the sample was in the beam.
#pragma once
#include "stream/element.hpp"
#include "stream/rows.hpp"
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

  double mean () const;               // of all patches
  double level (int64_t frame) const; // the mean of its patches
  bool is_noisy () const;             // most frames differ from the one before them
  static size_t bytes_for (int64_t frames);

private:
  int64_t rows, columns;
  float top;
  std::vector<float> values; // [frame][patch]; NaN in what holds no number

  std::span<const float> patches_of (int64_t frame) const;
  std::vector<float> across (std::span<const int64_t> some, size_t patch) const;
  bool is_odd (int64_t frame, std::span<const float> medians, double noise, Least least) const;
};

} // namespace sino::flat_field
