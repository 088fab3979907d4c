// SPDX-License-Identifier: LGPL-3.0-or-later
// What several rows say of the axis, together.
#pragma once
#include "filters/find-axis/mirror.hpp"
#include "filters/find-axis/tilt.hpp"
#include <map>
#include <mutex>
#include <string>

namespace sino::find_axis {

// What rows say, by row and method: the order in which they were looked at does not matter.
struct Findings {
  std::mutex mutex;
  std::map<std::pair<int64_t, Method>, Match> matches;
  // What the values are, by row.
  struct Values {
    double mean, border; // of all, and of those at the borders, without their signs
    double below = 0;    // what both borders are below zero at least
  };
  std::map<int64_t, Values> values;
  std::string missed; // why there are none
};

constexpr double far_off = 0.25; // of the columns: axes nearer to the border are of whole turns

struct Verdict {
  Method method = Method::wedge;
  double axis = NAN, error = NAN; // of the middle row, where the axis is tilted; a standard deviation
  double coherence = 0, certainty = 0;
  size_t rows = 0;
  double voices = 0;         // rows, fewer where some weigh far more than others
  double scatter = 0;        // of their mean, as far as rows disagree
  double inside = 0.5;       // columns to the nearer border, as a share of all
  bool likely = true;        // where axes usually are, from enough projections
  bool extrapolated = false; // from projections that are not half a turn apart
  double weight = 1;         // of its opinion
  std::optional<Line> line;  // of the axis along the rows

  bool any () const { return rows > 0; }
  // Whether it can be believed by itself, or where another one says the same.
  bool sure () const { return heard () && coherence > needed (); }
  bool heard () const;
  // Whether it can be where it is without any doubt: beside the border few columns are compared, which match by chance
  // more easily.
  bool firm () const;
  // "wedge: column 131.30 +- 0.02, where 97 % match"
  std::string words () const;
  std::string value () const;

private:
  double needed () const;
};

// `middle`: the row half-way down the detector.
Verdict judge (const Findings &findings, Method method, double middle);

const char *name_of (Method method);

} // namespace sino::find_axis
