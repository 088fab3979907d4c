// SPDX-License-Identifier: LGPL-3.0-or-later
// A sheet of slices of one row with different rotation axes, shown small side by side, with the sharpness of each.
#pragma once
#include "device/bill.hpp"
#include "device/cpu.hpp"
#include "stream/format.hpp"
#include "tasks/files/convert.hpp"
#include "tasks/files/pictures/arrivals.hpp"
#include "tasks/files/pictures/sheet.hpp"
#include <optional>
#include <vector>

namespace sino::files {

class AxesSheet
{
public:
  explicit AxesSheet (const Format &slices); // must have slice_axes ()

  // Adds to the bill: stored images and memory for drawing; memory of a worker.
  void memory (Bill &bill) const;
  void memory_of_worker (Bill &bill, int threads) const;

  // Allocates the memory.
  void begin ();
  // Takes each slice, from any thread; ignores repeated ones.
  void take (int64_t place, const std::byte *slice, const Cpu &cpu);
  int64_t missing () const { return arrivals.missing (); }

  // If black or white is not given, it is determined from all slices.
  Sheet draw (std::optional<double> black, std::optional<double> white, int bits) const;

private:
  Conversion conversion;
  size_t pixel; // bytes
  int64_t lines, columns;
  std::vector<double> axes;
  int64_t across, shrink, small_lines, small_columns, times, cell_columns, cell_lines;
  std::vector<float> images; // shrunk, one after the other
  std::vector<double> sharp;
  Arrivals arrivals;

  size_t image_pixels () const { return static_cast<size_t> (small_lines * small_columns); }
  int64_t down () const { return divide_up (std::ssize (axes), across); }
  int64_t sheet_lines () const;
  int64_t sheet_columns () const;
  std::string label (size_t place) const;
  std::string verdict () const;
};

} // namespace sino::files
