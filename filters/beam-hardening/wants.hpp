// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks that the nodes for beam hardening share.
#pragma once
#include "base/error.hpp"
#include "filters/beam-hardening/elements.hpp"
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
  if (in.values == Meaning::emission)
    fail (SINO_ERROR_BAD_FORMAT, "wants attenuation, got emission, which beams of many energies do not harden: leave "
                                 "this node out, or correct values= of the source");
}

// `energy`: in keV, to which values shall belong; 0: not given.
inline void check_energy (double energy)
{
  if (energy != 0 && energy < least_energy)
    fail (SINO_ERROR_BAD_PROPERTY, "energy=%g: attenuation is known from %g to %g keV: give an energy in this range",
          energy, least_energy, greatest_energy);
}

} // namespace sino::beam_hardening
