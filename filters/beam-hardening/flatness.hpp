// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the polynomial that makes an object of one material flat (M. Kachelriess, K. Sourbel and W. Kalender, Empirical
// cupping correction: a first-order raw data precorrection for cone-beam computed tomography, Medical Physics 33, 2006,
// 1269). Reconstruction is linear, so the slice of a corrected scan is the sum of the slices of its powers, times the
// coefficients. Least squares bring it to 1 inside of the object and to 0 outside.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sino::beam_hardening {

constexpr size_t powers = 4;
using Powers = std::array<double, powers>; // a number for each power of the attenuation

// Sums over small squares of one or several slices, away from edges.
struct Flatness {
  std::array<Powers, powers> squares{};         // products of two powers, over object and air
  Powers sums{};                                // over the object
  double pixels = 0;                            // of the object
  std::array<Powers, 2> depths{};               // means in its outer and in its inner third, times its pixels
  std::vector<std::pair<Powers, double>> cells; // means in squares of the object, and their pixels
  double outside = 0;                           // pixels of the object at the border of the field of view

  // Takes the sum of the pixels of a square, of the object or of air.
  void take (Powers mean, double number, bool inside);
  void add (const Flatness &other);
  // Coefficients for so many powers, with which the mean of the object stays; empty if they are not determined.
  std::vector<double> solve (size_t number) const;
  // How much darker the middle is than the rim, as a share of the rim.
  double cupping (std::span<const double> coefficients) const;
  // Standard deviation of the small squares, as a share of the mean.
  double unevenness (std::span<const double> coefficients) const;
};

// The sums of a slice; without pixels if it shows no object. `slices`: [y][x][power], of size x size pixels.
Flatness look_at (const std::vector<float> &slices, int64_t size);

} // namespace sino::beam_hardening
