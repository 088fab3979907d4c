// SPDX-License-Identifier: LGPL-3.0-or-later
// A picture of the three middle cuts of a volume with a histogram of its values, collected from slices in any order.
// The values of large volumes are counted in some lines, which depend on the volume's size only.
#pragma once
#include "stream/format.hpp"
#include "tasks/files/pictures/histogram.hpp"
#include "tasks/files/pictures/picture.hpp"
#include <array>
#include <mutex>

namespace sino::files {

class Cuts final : public Picture
{
public:
  // Slices (z, y, x); the one at index `z` is shown.
  Cuts (const Format &slices, int64_t z);

  void memory (Bill &bill) const override;
  double seconds () const override;
  void begin () override;
  Sheet draw (std::optional<double> black, std::optional<double> white, int bits) const override;

private:
  // Lines of a plane, shrunk along the line if they are long; shrunk across lines at the end.
  struct Plane {
    std::string label;
    int64_t lines, columns;
    std::vector<float> values;
  };
  struct Counts {
    std::mutex mutex;
    Histogram histogram;
  };

  static constexpr int64_t parts = 4; // histograms, so that threads do not wait for each other

  Element element;
  Dim across, down, along; // x, y and z
  int64_t depth, middle[3];
  int64_t shrink = 1, times = 1;
  uint64_t lines_each = 1; // one line in so many is counted
  std::array<Plane, 3> planes;
  std::unique_ptr<std::array<Counts, parts>> counts;

  void add (int64_t z, const std::byte *slice, const Cpu &cpu) override;
  int64_t shown (int64_t extent) const { return divide_up (extent, shrink); }
  void keep (Plane &plane, int64_t line, const float *values, int64_t n) const;
  bool is_counted (int64_t z, int64_t y) const;
  bool is_shown (int64_t z, int64_t y) const { return z == middle[2] || y == middle[1]; }
  void count (Histogram &histogram, int64_t y, const float *line) const;
  std::vector<float> pixels (const Plane &plane) const;
  int64_t columns () const;
  int64_t lines () const;
};

} // namespace sino::files
