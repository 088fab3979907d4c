// SPDX-License-Identifier: LGPL-3.0-or-later
// How often a scan has measured each direction, and what each projection counts for that.
#pragma once
#include "base/visibility.hpp"
#include "stream/format.hpp"
#include <span>
#include <string>
#include <vector>

namespace sino {

// A part of the circle between two directions that follow each other, in radians.
struct SINO_VISIBLE DirectionGap {
  double begin, width, usual; // usual: the median of the gaps between different directions
  // It is wider than uneven steps of a scan would make it.
  bool is_missing () const;
};

// The projections of a scan in the order of their directions.
class SINO_VISIBLE Directions
{
public:
  // Angles: radians, in any order. `circle`: directions repeat after so much, as lines that a parallel beam sees from
  // both sides do after half a turn.
  Directions (std::span<const double> angles, double circle);

  // Number of different ones.
  size_t count () const { return wide_gaps ().size (); }

  // Half the gaps to both neighbours, for each projection in the order of the scan: their sum is `circle`.
  std::vector<double> spacing () const;
  // The same with a word for what scans have: projections of one direction count alike, a gap that was not measured
  // belongs to no projection, and all count the same where they differ by less than 1 %. Their sum is `circle`.
  std::vector<double> shares () const;

  DirectionGap widest_gap () const;
  std::vector<DirectionGap> missing_gaps () const;

  // Share of the projections that have seen their lines from the other side, too, half a turn away. The circle is a
  // whole turn.
  double share_seen_twice () const;

private:
  std::vector<size_t> order;            // projections
  std::vector<double> directions, gaps; // in that order; gaps: to the next one
  double circle;

  size_t size () const { return order.size (); }
  std::vector<double> wide_gaps () const; // between different directions
  double usual_gap () const;
};

// Throws where all projections of a scan with angles have the same one.
SINO_VISIBLE void check_angles_differ (const Format &scan);

} // namespace sino
