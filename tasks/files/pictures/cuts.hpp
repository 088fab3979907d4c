// SPDX-License-Identifier: LGPL-3.0-or-later
// The three middle cuts of a volume and how often its values are, gathered from slices in any order, and their picture.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "stream/format.hpp"
#include "tasks/files/convert.hpp"
#include "tasks/files/pictures/arrivals.hpp"
#include "tasks/files/pictures/histogram.hpp"
#include "tasks/files/pictures/sheet.hpp"
#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sino::files {

class Cuts
{
public:
  // Slices (z, y, x), of which the one at place `z` is shown.
  Cuts (const Format &slices, int64_t z);

  // For the bill: what is kept, and what drawing takes.
  void memory (Bill &bill) const;

  // Takes the memory.
  void begin ();
  // Each slice, from any thread; one that comes again is left out.
  void take (int64_t z, const std::byte *slice, const Cpu &cpu);
  int64_t missing () const { return arrivals.missing (); }

  // The limits of grey, where they are not given, are those of the pixels shown.
  Sheet draw (std::optional<double> black, std::optional<double> white, int bits) const;

private:
  // Lines of a plane, shortened where they are long; the lines are put together in the end.
  struct Plane {
    std::string label;
    int64_t lines, columns;
    std::vector<float> values;
  };
  struct Counts {
    std::mutex mutex;
    Histogram histogram;
  };

  static constexpr int64_t parts = 4; // of a slice, so that threads do not wait for each other

  Element element;
  Conversion conversion;
  Dim across, down, along; // x, y and z
  int64_t depth, middle[3];
  int64_t shrink = 1, times = 1;
  std::array<Plane, 3> planes;
  std::unique_ptr<std::array<Counts, parts>> counts;
  Arrivals arrivals;

  int64_t shown (int64_t extent) const { return divide_up (extent, shrink); }
  void keep (Plane &plane, int64_t line, const float *values, int64_t n) const;
  void count (Histogram &histogram, int64_t y, const float *line) const;
  std::vector<float> pixels (const Plane &plane) const;
  int64_t columns () const;
  int64_t lines () const;
};

} // namespace sino::files
