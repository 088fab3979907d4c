// SPDX-License-Identifier: LGPL-3.0-or-later
// Samples a few pixels of each frame while frames are read, and finds frames that differ from the rest: the shutter was
// open in a dark, closed in a flat, or the sample was in the beam.
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
  // Values of at least `top` are ignored.
  FrameSamples (int64_t frames, int64_t rows, int64_t columns, float top);

  // Samples the rows [row][column] of a frame.
  void take (int64_t frame, Interval rows, Element element, const std::byte *piece);

  // Smallest difference that counts, the larger of both: a share of a patch's value, and an absolute value.
  struct Least {
    double share, value;
  };

  struct Odd {
    std::vector<int64_t> frames; // frames that differ from the others
    bool many = false;           // too many to say which ones are wrong
  };
  // Finds the odd frames among some frames.
  Odd odd (std::span<const int64_t> some, Least least) const;

  double level (int64_t frame) const; // mean of its patches without the smallest and greatest ones
  // Whether most frames differ from the previous one and, if this can be determined, neighbouring pixels from each
  // other. For a single frame only neighbouring pixels count.
  bool is_noisy () const;
  static size_t bytes_for (int64_t frames);

private:
  int64_t rows, columns;
  float top;
  std::vector<float> values; // [frame][patch]; NaN if no value is finite
  // Triples of neighbours that are not all equal, and triples whose middle is the smallest or greatest.
  std::atomic<int64_t> uneven{0}, peaks{0};

  std::span<const float> patches_of (int64_t frame) const;
  void count_peaks (std::span<const float> line);
  std::vector<float> across (std::span<const int64_t> some, size_t patch) const;
  bool is_odd (int64_t frame, std::span<const float> medians, double noise, Least least) const;
};

} // namespace sino::flat_field
