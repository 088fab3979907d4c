// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds how often a scan has measured each direction, and the weights of projections.
#pragma once
#include "base/visibility.hpp"
#include "stream/format.hpp"
#include <span>
#include <vector>

namespace sino {

// The angle between two successive directions, in radians.
struct SINO_VISIBLE DirectionGap {
  double begin, width, usual; // usual: the median of the gaps between different directions
  // Whether the gap is wider than uneven steps of a scan would explain, so that directions are missing.
  bool is_missing () const;
};

// The projections of a scan in the order of their directions.
class SINO_VISIBLE Directions
{
public:
  // Angles: radians, in any order. `circle`: the angle after which directions repeat, for example half a turn for a
  // parallel beam, whose rays can be measured from both sides.
  Directions (std::span<const double> angles, double circle);

  // Number of different directions.
  size_t count () const { return wide_gaps ().size (); }

  // Half the gaps to both neighbours, for each projection in the order of the scan; their sum is `circle`.
  std::vector<double> spacing () const;
  // Like spacing (), adapted to real scans: projections of one direction have equal weights, a gap that was not
  // measured counts for no projection, and if all weights differ by less than 1 % from their mean, they are made equal.
  // Their sum is `circle`.
  std::vector<double> shares () const;

  DirectionGap widest_gap () const;
  std::vector<DirectionGap> missing_gaps () const;

  // Fraction of the projections whose rays were also measured from the opposite side, half a turn away. `circle` must
  // be a whole turn.
  double share_seen_twice () const;

private:
  std::vector<size_t> order;            // projections sorted by direction
  std::vector<double> directions, gaps; // direction of each projection in `order`, and the gap to the next one
  double circle;

  size_t size () const { return order.size (); }
  std::vector<double> wide_gaps () const; // gaps between different directions
  double usual_gap () const;
};

// Throws if all projections of a scan have the same angle.
SINO_VISIBLE void check_angles_differ (const Format &scan);

} // namespace sino
