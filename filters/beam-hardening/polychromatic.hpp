// SPDX-License-Identifier: LGPL-3.0-or-later
// The attenuation of a spectrum by one or two materials, and its inverse. Lengths are in cm.
#pragma once
#include "filters/beam-hardening/curve.hpp"
#include "filters/beam-hardening/spectrum.hpp"

namespace sino::beam_hardening {

// -ln (signal with the object / signal without it).
class Polychromatic
{
public:
  Polychromatic (const Spectrum &spectrum, const Material &material);

  // Attenuation by a length of the material, behind what `weights` of the spectrum have passed.
  struct Value {
    double attenuation, slope; // slope: change per cm
  };
  Value at (double length, const std::vector<double> &weights) const;
  // Length that gives an attenuation, at least 0; `start`: a length that gives less.
  double length (double attenuation, double start, const std::vector<double> &weights) const;
  // The weights of the spectrum behind a length of the material.
  std::vector<double> behind (double length) const;
  const std::vector<double> &weights () const { return spectrum.weights; }

private:
  Spectrum spectrum;
  std::vector<double> attenuations; // of the material, by energy, 1/cm
};

// The attenuation that a length has at one energy, as a function of the measured one. `one`: attenuation at that
// energy, 1/cm.
Curve linearized (const Polychromatic &beam, double one);

// For rays through two materials: the same sum for both, as a function of the measured attenuation and the length of
// the second material (P. M. Joseph and R. D. Spital, Journal of Computer Assisted Tomography 2, 1978, 100).
class TwoMaterials
{
public:
  static constexpr int64_t across = 512, down = 192; // steps of attenuation, and of length
  static constexpr size_t bytes = (across + 1) * (down + 1) * sizeof (float);

  // `one`, `two`: attenuations at that energy, 1/cm.
  TwoMaterials (const Polychromatic &first, const Polychromatic &second, double one, double two);
  float at (float attenuation, float length) const;

private:
  double length_step = 0;
  std::vector<float> values; // [length][attenuation]
};

} // namespace sino::beam_hardening
