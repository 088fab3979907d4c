// SPDX-License-Identifier: LGPL-3.0-or-later
// A correction of attenuation values: a polynomial or a table, with straight lines below 0 and above the highest value.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sino::beam_hardening {

class Curve
{
public:
  // c1 x + c2 x^2 + ... up to `highest` (0: without end), then its tangent.
  static Curve polynomial (const std::vector<double> &coefficients, double highest);
  // Straight lines between values[i] at i * step.
  static Curve table (const std::vector<double> &values, double step);

  // `in` and `out` may be the same.
  void apply (const float *in, int64_t n, float *out) const;
  // Whether values stay as they are.
  bool changes_nothing () const { return table_.empty () && coefficients.size () == 1 && coefficients[0] == 1; }

private:
  std::vector<float> coefficients, table_;
  float step = 1, end = 0;   // of the table; the highest value before the straight line
  float first = 1, last = 1; // slopes of the straight lines
};

// The coefficients of a property: "1, 0.03". Throws Error.
std::vector<double> parse_coefficients (const std::string &words);

constexpr double most_attenuation = 12; // e^-12 is less than a count of 16 bits

// Throws Error if the polynomial falls anywhere from 0 to `highest` (0: to most_attenuation).
void check_rises (const std::vector<double> &coefficients, double highest, const std::string &words);

// The attenuation above most_attenuation at which the polynomial falls; none if it rises everywhere.
std::optional<double> place_of_fall (const std::vector<double> &coefficients);

} // namespace sino::beam_hardening
