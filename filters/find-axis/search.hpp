// SPDX-License-Identifier: LGPL-3.0-or-later
// A search for the axis in some rows of a scan: the methods that suit its angles, and what they say together.
#pragma once
#include "filters/find-axis/decision.hpp"
#include "filters/find-axis/focus.hpp"
#include "filters/find-axis/turn.hpp"

namespace sino::find_axis {

enum class Way { automatic, opposites, wedge, sharpness };

// The rows to look at, and the methods.
struct Search {
  Turn turn;
  double arc = 0;              // radians covered by the projections if less than half a turn
  std::vector<Method> methods; // methods that use mirror images
  std::vector<int64_t> rows;   // detector rows, rising; a block may also have others
  std::vector<int64_t> slices; // rows whose slices may be reconstructed
  bool always = false;         // false: reconstructs slices only if the other methods leave doubt
  std::optional<FocusSearch> focus;
};

// Chooses the methods for projections at these angles. Returns why no axis can be found, or "".
std::string prepare (Search &search, std::span<const double> angles, int64_t columns, Way way);

// A row of the detector to look at.
struct ExaminedRow {
  int64_t row;
  float *sinogram; // in the order of the angles; it is changed
  int64_t angles, columns;
};

// Looks at a row with the methods that use mirror images. `memory`: as much as Mirrors::pages () says. Returns whether
// to look at its slice, too. Several threads may look at different rows.
bool look_at_mirrors (const Search &search, const ExaminedRow &at, std::byte *memory, const Cpu &cpu,
                      Findings &findings);
// Looks for the sharpest slice of a row, after look_at_mirrors (). One row at a time.
void look_at_slice (const Search &search, const ExaminedRow &at, const Cpu &cpu, const Monitor &monitor,
                    Findings &findings);
// Both.
void look (const Search &search, const ExaminedRow &at, std::byte *memory, const Cpu &cpu, const Monitor &monitor,
           Findings &findings);

// The verdicts of all methods that were used. `height`: rows of the detector.
std::vector<Verdict> heard (const Search &search, const Findings &findings, int64_t columns, int64_t height);

} // namespace sino::find_axis
