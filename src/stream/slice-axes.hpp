// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices of one row that were reconstructed with different rotation axes.
#pragma once
#include "stream/format.hpp"
#include <span>

namespace sino {

// The rotation axes of such slices: their geometry has no angles, and slice number i of the scan has the i-th axis.
// Empty for other streams.
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
