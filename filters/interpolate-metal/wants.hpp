// SPDX-License-Identifier: LGPL-3.0-or-later
// The check of the scan that nodes share which work on attenuation.
#pragma once
#include "base/error.hpp"
#include "stream/format.hpp"

namespace sino::interpolate_metal {

// Throws unless the values are attenuation to which no ramp filter was applied.
inline void want_attenuation (const Format &data)
{
  if (data.values == Meaning::counts || data.values == Meaning::transmission)
    fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got %s: put '%s' before it", name_of (data.values),
          data.values == Meaning::counts ? "flat-field" : "minus-log");
  if (!data.filtered_by.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, but '%s' has filtered the rows: put this node before it",
          data.filtered_by.c_str ());
}

} // namespace sino::interpolate_metal
