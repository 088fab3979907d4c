// SPDX-License-Identifier: LGPL-3.0-or-later
// The spectrum of a tube with a tungsten anode, as the detector sees it without an object.
#pragma once
#include "filters/beam-hardening/material.hpp"
#include "glue/property.hpp"

namespace sino::beam_hardening {

struct Spectrum {
  std::vector<double> energies, weights; // keV; shares of the signal, which add up to 1

  double mean (const Material &material) const; // attenuation of a thin layer, 1/cm
  // Energy at which the material has the attenuation of a thin layer.
  double effective_energy (const Material &material) const;
};

struct TubeSettings {
  double voltage = 0, anode_angle = 12;
  std::string filter, detector = "energy";

  static constexpr std::array properties{
      prop<&TubeSettings::voltage> ("voltage", "Voltage of the tube in kV", Range{0, 500}),
      prop<&TubeSettings::filter> (
          "filter", "Everything between anode and object, as in 'Al 0.5 mm, Cu 0.1 mm'; also the window of the tube"),
      prop<&TubeSettings::anode_angle> (
          "anode-angle", "Angle between the surface of the anode and the middle ray, in degrees", Range{1, 90}),
      prop<&TubeSettings::detector> ("detector",
                                     "Signal of a photon: energy (all of its energy), counting (1), or its energy "
                                     "times the share that a layer absorbs, as in 'CsI 0.6 mm'"),
  };

  // Throws Error.
  Spectrum spectrum () const;
};

} // namespace sino::beam_hardening
