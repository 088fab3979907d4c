// SPDX-License-Identifier: LGPL-3.0-or-later
// Weighs the rows of a scan before the ramp filter, as Feldkamp, Davis and Kress do (1984).
#pragma once
#include "filters/cone/offset.hpp"
#include "filters/cone/weights.hpp"
#include <string>

namespace sino::cone {

class Weighing
{
public:
  Weighing () = default;
  // Makes the format that of weighted rows: for an offset detector, they get columns of zeros on its shorter side.
  // Throws Error if the scan has no weights.
  Weighing (Format &format, const OffsetSettings &offset);

  // What the user should know.
  const std::vector<std::string> &notes () const { return all_notes; }

  // Columns of rows before they are weighted.
  int64_t columns () const { return static_cast<int64_t> (columns_before); }
  int64_t zeros_before () const { return before; } // columns of zeros before them afterwards
  const Weights &weights () const { return all_weights; }
  // out[before ... before + columns] = weighted values; zeros elsewhere. `shares`: those of the row.
  void weigh (size_t projection, int64_t row, std::span<const float> shares, const float *in,
              std::span<float> out) const;

  size_t bytes () const { return all_weights.bytes (); }

private:
  Weights all_weights;
  size_t columns_before = 0;
  int64_t before = 0; // columns of zeros added before the first one
  std::vector<std::string> all_notes;

  void check_range (const Format &format) const;
  bool takes_over (const Weights::Sides &sides, Offset detector) const;
  void note_gaps ();
  void note_sides (const Weights::Sides &sides, Offset detector);
  void widen (Format &format, const Weights::Sides &sides);
  void find_lean (const Format &format);
};

} // namespace sino::cone
