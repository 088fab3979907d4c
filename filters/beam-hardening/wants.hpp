// SPDX-License-Identifier: LGPL-3.0-or-later
// The check of the scan that the nodes for beam hardening share.
#pragma once
#include "base/error.hpp"
#include "glue/wants.hpp"

namespace sino::beam_hardening {

// Throws unless the values are attenuation to which no ramp filter was applied.
inline void want_attenuation (const Format &in)
{
  want_unfiltered (in);
  if (in.values == Meaning::counts || in.values == Meaning::transmission || in.companions.flats)
    fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got %s: put '%s' before this node",
          in.values == Meaning::transmission ? "transmission" : "counts",
          in.values == Meaning::transmission ? "minus-log" : "flat-field");
}

} // namespace sino::beam_hardening
