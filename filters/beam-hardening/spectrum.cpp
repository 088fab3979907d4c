// SPDX-License-Identifier: LGPL-3.0-or-later
// D. M. Tucker, G. T. Barnes and D. P. Chakraborty, Semiempirical model for generating tungsten target x-ray spectra,
// Medical Physics 18, 1991, 211. Electrons lose energy in the anode by the law of Thomson and Whiddington. At each
// energy T, a fitted polynomial of E / T gives the photons of energy E; on their way out, the anode absorbs some.
// K lines are excited up to the depth at which electrons have the energy of the K edge.
#include "filters/beam-hardening/spectrum.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include <cmath>
#include <numeric>

namespace sino::beam_hardening {

namespace {

constexpr double step = 0.5;        // keV
constexpr double k_edge = 69.525;   // keV, of tungsten
constexpr double rest_energy = 511; // keV, of an electron

struct Line {
  double energy, share; // keV; share of the photons of the K shell
};
constexpr Line k_lines[] = {{59.318, 0.45}, {57.981, 0.2592}, {67.2, 0.1521}, {69.1, 0.0387}};
// Scale of the K lines relative to the other photons: the mean that fits to SpekPy 2.5 from 80 to 225 kV.
constexpr double line_scale = 1.43e-4;

// Loss of squared energy per mass on the way, in keV^2 cm^2/g.
double whiddington (double voltage)
{
  static constexpr std::pair<double, double> table[] = {
      {50, 5.4e5}, {75, 6.25e5}, {100, 7e5}, {150, 8.4e5}, {200, 1e6}};
  if (voltage <= table[0].first)
    return table[0].second;
  for (size_t i = 1; i < std::size (table); i++)
    if (voltage <= table[i].first)
      return std::lerp (table[i - 1].second, table[i].second,
                        (voltage - table[i - 1].first) / (table[i].first - table[i - 1].first));
  return std::rbegin (table)->second;
}

// Photons per energy, without those of lines.
double continuum (double energy, double voltage, double absorption)
{
  constexpr int parts = 200;
  double sum = 0;
  for (int i = 0; i < parts; i++) {
    const double electron = energy + (voltage - energy) * (i + 0.5) / parts, r = energy / electron;
    const double polynomial = 1 + r * (-5.049 + r * (10.847 + r * (-10.516 + r * 3.842)));
    const double stopping = 2024.1 + 10361 * std::exp (-0.04695 * electron);
    sum += polynomial * (electron + rest_energy) / electron / stopping *
           std::exp (-absorption * (voltage * voltage - electron * electron));
  }
  return (3.685e-2 + 2.9e-5 * voltage) * sum / parts * (voltage - energy) / energy;
}

// Photons of the K shell that leave the anode.
double line_photons (const Line &line, double voltage, double absorption)
{
  constexpr int parts = 200;
  const double depth = voltage * voltage - k_edge * k_edge;
  double sum = 0;
  for (int i = 0; i < parts; i++) {
    const double x = (i + 0.5) / parts;
    sum += 1.5 * (1 - x * x) * std::exp (-absorption * depth * x);
  }
  return line_scale * std::pow (voltage / k_edge - 1, 1.648) * line.share * sum / parts;
}

// The signal of a photon by its energy.
double signal (const std::string &detector, const std::vector<Layer> &layers, double energy)
{
  if (detector == "counting")
    return 1;
  double through = 1;
  for (const auto &layer : layers)
    through *= std::exp (-layer.material.attenuation (energy) * layer.thickness);
  return energy * (layers.empty () ? 1 : 1 - through);
}

} // namespace

Spectrum TubeSettings::spectrum () const
{
  if (!(voltage >= 2 * least_energy))
    fail (SINO_ERROR_BAD_PROPERTY, "voltage=%g: give the voltage of the tube in kV, from %g to %g", voltage,
          2 * least_energy, greatest_energy);
  const auto filters = parse_layers ("filter", filter);
  const bool ideal = detector == "energy" || detector == "counting";
  const auto layers = ideal ? std::vector<Layer>{} : parse_layers ("detector", detector);
  if (!ideal && layers.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "detector=%s: give energy, counting, or a layer, as in 'CsI 0.6 mm'",
          detector.c_str ());
  const auto tungsten = parse_material ("material", "W");
  const double way_out = 1 / (whiddington (voltage) * std::sin (radians (anode_angle)));
  Spectrum made;
  for (double energy = least_energy + 0.5 * step; energy < voltage; energy += step) {
    made.energies.push_back (energy);
    made.weights.push_back (step * continuum (energy, voltage, tungsten.mass_attenuation (energy) * way_out));
  }
  if (voltage > k_edge)
    for (const auto &line : k_lines)
      made.weights[static_cast<size_t> ((line.energy - least_energy) / step)] +=
          line_photons (line, voltage, tungsten.mass_attenuation (line.energy) * way_out);
  for (size_t i = 0; i < made.energies.size (); i++) {
    double depth = 0;
    for (const auto &layer : filters)
      depth += layer.material.attenuation (made.energies[i]) * layer.thickness;
    made.weights[i] *= std::exp (-depth) * signal (detector, layers, made.energies[i]);
  }
  const double all = std::accumulate (made.weights.begin (), made.weights.end (), 0.0);
  if (!(all > 0))
    fail (SINO_ERROR_BAD_PROPERTY, "filter=%s lets no photon through at %g kV", filter.c_str (), voltage);
  for (auto &weight : made.weights)
    weight /= all;
  return made;
}

double Spectrum::mean (const Material &material) const
{
  double sum = 0;
  for (size_t i = 0; i < energies.size (); i++)
    sum += weights[i] * material.attenuation (energies[i]);
  return sum;
}

double Spectrum::effective_energy (const Material &material) const
{
  const double wanted = mean (material);
  for (auto i = energies.size () - 1; i > 0; i--) {
    const double high = material.attenuation (energies[i]), low = material.attenuation (energies[i - 1]);
    if (high <= wanted && low > wanted)
      return std::lerp (energies[i], energies[i - 1], (wanted - high) / (low - high));
  }
  return energies.front ();
}

} // namespace sino::beam_hardening
