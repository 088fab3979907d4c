// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices of one row that were reconstructed with different rotation axes, or different strengths of total variation.
#pragma once
#include "stream/format.hpp"
#include <span>

namespace sino {

struct SliceTrials {
  const char *what;               // "axis" or "strength"
  std::span<const double> values; // slice number i of the scan has the i-th value

  bool empty () const { return values.empty (); }
};

// Empty for other streams. The geometry of slices with one axis each has no angles.
inline SliceTrials slice_trials (const Format &format)
{
  if (format.kind () != Kind::slices)
    return {};
  SliceTrials trials{};
  if (format.strengths)
    trials = {"strength", *format.strengths};
  else if (format.geometry && format.geometry->angles.empty ())
    trials = {"axis", format.geometry->axis};
  const auto &z = format.axes[0];
  const bool all = z.extent >= 1 && z.first >= 0 && z.number (z.extent - 1) < std::ssize (trials.values);
  return all ? trials : SliceTrials{};
}

} // namespace sino
