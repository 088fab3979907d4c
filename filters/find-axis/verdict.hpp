// SPDX-License-Identifier: LGPL-3.0-or-later
// Combines the results of several rows into one verdict about the axis.
#pragma once
#include "filters/find-axis/mirror.hpp"
#include "filters/find-axis/tilt.hpp"
#include <map>
#include <mutex>
#include <string>

namespace sino::find_axis {

// Results for each row and method. They do not depend on the order in which rows are searched.
struct Findings {
  std::mutex mutex;
  std::map<std::pair<int64_t, Method>, Match> matches;
  // Statistics of the values of a row.
  struct Values {
    double mean, border; // mean value; greater absolute mean of the two borders
    double below = 0;    // amount by which both borders are below zero
  };
  std::map<int64_t, Values> values;
  std::string missed; // reason why there are no results
};

// as a share of the columns: an axis that is nearer to a border belongs to a full turn
constexpr double far_off = 0.25;

struct Verdict {
  Method method = Method::wedge;
  double axis = NAN, error = NAN; // at the middle row if the axis is tilted; error: standard deviation
  double coherence = 0, certainty = 0;
  size_t rows = 0;
  double voices = 0;         // effective number of rows: fewer if weights differ much
  double scatter = 0;        // standard deviation of the mean, from the differences between rows
  double inside = 0.5;       // distance of the axis to the nearer border, as a share of the columns
  bool likely = true;        // whether the axis is at a usual place, found from enough projections
  bool extrapolated = false; // found from projections that are not half a turn apart
  double weight = 1;         // weight in the decision
  std::optional<Line> line;  // the tilted axis as a function of the row

  bool any () const { return rows > 0; }
  // sure (): reliable alone. heard (): reliable if another method agrees.
  bool sure () const { return heard () && coherence > needed (); }
  bool heard () const;
  // Whether the match is good enough for the axis's place: near a border only few columns are compared, which match by
  // chance more easily.
  bool firm () const;
  // "wedge: column 131.30 +- 0.02, where 97 % match"
  std::string words () const;
  std::string value () const;

private:
  double needed () const;
};

// Returns the verdict of a method. `middle`: the middle row of the detector.
Verdict judge (const Findings &findings, Method method, double middle);

const char *name_of (Method method);

} // namespace sino::find_axis
