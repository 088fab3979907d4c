// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices that were made of one row, each with a rotation axis of its own.
#pragma once
#include "stream/format.hpp"
#include <span>

namespace sino {

// Their geometry has no angles, and the axis of the slice with the number i in the scan is the i-th of these. Of other
// streams, none.
inline std::span<const double> slice_axes (const Format &format)
{
  if (format.kind () != Kind::slices || !format.geometry || !format.geometry->angles.empty ())
    return {};
  const auto &axes = format.geometry->axis;
  const auto &z = format.axes[0];
  if (z.extent < 1 || z.first < 0 || z.number (z.extent - 1) >= static_cast<int64_t> (axes.size ()))
    return {};
  return axes;
}

} // namespace sino
