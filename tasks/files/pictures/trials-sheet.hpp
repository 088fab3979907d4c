// SPDX-License-Identifier: LGPL-3.0-or-later
// A sheet of slices of one row, shown small side by side: with one rotation axis each and its sharpness, or with one
// strength each.
#pragma once
#include "stream/format.hpp"
#include "tasks/files/pictures/picture.hpp"

namespace sino::files {

class TrialsSheet final : public Picture
{
public:
  explicit TrialsSheet (const Format &slices); // must have slice_trials ()

  void memory (Bill &bill) const override;
  void memory_of_worker (Bill &bill, int threads) const override;
  void begin () override;
  Sheet draw (std::optional<double> black, std::optional<double> white, int bits) const override;

private:
  int64_t lines, columns;
  const char *what; // "axis" or "strength"
  bool compares;    // by sharpness, which noise changes as well as strength
  std::vector<double> trials;
  int64_t across, shrink, small_lines, small_columns, times, cell_columns, cell_lines;
  std::vector<float> images; // shrunk images, stored one after the other
  std::vector<double> sharp;

  void add (int64_t place, const std::byte *slice, const Cpu &cpu) override;
  size_t image_pixels () const { return static_cast<size_t> (small_lines * small_columns); }
  int64_t down () const { return divide_up (std::ssize (trials), across); }
  int64_t sheet_lines () const;
  int64_t sheet_columns () const;
  std::vector<float> image (size_t place) const;
  std::string label (size_t place) const;
  std::string verdict () const;
};

} // namespace sino::files
