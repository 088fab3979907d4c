// SPDX-License-Identifier: LGPL-3.0-or-later
// What can be changed by eye when a scan is reconstructed, and the launch line that values give.
#pragma once
#include "base/variant.hpp"
#include "scan/chain.hpp"
#include <map>

namespace sino::monitor {

// A value that a control of the page changes.
struct Parameter {
  enum class Type { number, choice, flag };

  std::string name, title, unit;
  Type type = Type::number;
  std::string value; // at first
  double low = 0, high = 0, step = 0;
  std::vector<std::string> choices = {};
  bool fast = false; // the sinogram of a row stays as it is
};

using Values = std::map<std::string, std::string>; // of all parameters, by their names

// A row of a scan, before it is reconstructed.
struct RowLine {
  scan::ScanLine line;   // gives projections or sinograms of this row alone, or slices
  double axis_shift = 0; // to be added to the axis of the whole scan
};

class Recipe
{
public:
  // The wishes must outlive the object. Throws Error if the scan cannot be reconstructed.
  Recipe (const std::string &path, const scan::Wishes &wishes);

  const std::vector<Parameter> &parameters () const { return all; }
  const Format &format () const { return seen.format; }
  bool parallel () const { return seen.format.geometry->views.empty (); }
  const std::string &path () const { return seen.path; }
  // Whether a run of the whole scan looks for values that do not fall to zero at the ends of rows.
  bool looks_for_ends () const { return looks; }
  // Sets the axis at first, once it is found. Until then, lines and commands leave it to the run, unless it was given.
  void set_axis (double column);

  // The given values, and those at first for others, but for an axis that is not known. Throws Refused if one is
  // unknown or wrong.
  Values complete (const Values &given) const;
  // Text of the values that change the sinogram of a row.
  std::string slow_key (const Values &values) const;

  // The nodes for the whole scan, and `sinograph reconstruct` with the same result.
  scan::ScanLine line (const Values &values) const;
  std::string command (const Values &values) const;
  // Nodes for a sinogram, to be reconstructed by kernels/single-slice. Whether that can be done: projections of a whole
  // turn need not be joined, the beam is parallel, and there is one axis.
  bool has_sinogram (const Values &values) const;
  RowLine sinogram_line (const Values &values, int64_t row) const;
  // Nodes for the slice of a row; `coarse`: every so many columns and projections.
  RowLine slice_line (const Values &values, int64_t row, int64_t coarse) const;

private:
  const scan::Wishes &given;
  scan::SeenScan seen;
  bool axis_known = true, looks = false;
  std::vector<Parameter> all;

  void find_parameters ();
  void add_phase (const Geometry &geometry);
  void add_distances ();
  bool may_join (const Values &values) const;
};

// For the state of the page.
GVariant *describe (const std::vector<Parameter> &parameters);

} // namespace sino::monitor
