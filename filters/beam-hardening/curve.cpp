// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/curve.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino::beam_hardening {

static double slope_of (const std::vector<double> &coefficients, double x)
{
  double slope = 0;
  for (auto i = coefficients.size (); i > 0; i--)
    slope = slope * x + static_cast<double> (i) * coefficients[i - 1];
  return slope;
}

// Values are floats, in which large and small numbers of a file or a property have no place.
static void check_curve (const std::vector<float> &values, float step, float first, float last)
{
  const bool good = std::ranges::all_of (values, [] (float v) { return std::isfinite (v); }) && std::isnormal (step) &&
                    std::isfinite (first) && std::isfinite (last);
  if (!good)
    fail (SINO_ERROR_BAD_PROPERTY, "the correction has values beyond those of floats: correct coefficients=, or the "
                                   "thicknesses and values of wedge=");
}

Curve Curve::polynomial (const std::vector<double> &coefficients, double highest)
{
  Curve curve;
  curve.coefficients.assign (coefficients.begin (), coefficients.end ());
  curve.end = highest > 0 ? static_cast<float> (highest) : std::numeric_limits<float>::max ();
  curve.first = static_cast<float> (coefficients[0]);
  curve.last = static_cast<float> (slope_of (coefficients, highest));
  check_curve (curve.coefficients, 1, curve.first, curve.last);
  return curve;
}

Curve Curve::table (const std::vector<double> &values, double step)
{
  Curve curve;
  curve.table_.assign (values.begin (), values.end ());
  curve.step = static_cast<float> (step);
  curve.end = static_cast<float> (step * static_cast<double> (values.size () - 1));
  curve.first = static_cast<float> (values[1] / step);
  curve.last = static_cast<float> ((values.back () - values[values.size () - 2]) / step);
  check_curve (curve.table_, curve.step, curve.first, curve.last);
  return curve;
}

void Curve::apply (const float *in, int64_t n, float *out) const
{
  for (int64_t i = 0; i < n; i++) {
    const float x = in[i], inside = x > 0 ? std::min (x, end) : 0.0F; // 0 for NaN, which the difference below keeps
    float value = 0;
    if (table_.empty ()) {
      for (auto c = coefficients.size (); c > 0; c--)
        value = (value + coefficients[c - 1]) * inside;
    } else {
      const float at = inside / step;
      const auto before = std::min (static_cast<size_t> (at), table_.size () - 2);
      value = table_[before] + (at - static_cast<float> (before)) * (table_[before + 1] - table_[before]);
    }
    out[i] = value + (x - inside) * (x > 0 ? last : first);
  }
}

std::vector<double> parse_coefficients (const std::string &words)
{
  std::vector<double> list;
  bool good = true;
  each_word (words, ", ", [&] (std::string_view word) {
    double number = 0;
    good = good && parse_number (word, number);
    list.push_back (number);
  });
  if (!good || list.empty () || list.size () > 16)
    fail (SINO_ERROR_BAD_PROPERTY,
          "coefficients=%s: give up to 16 numbers, of x, x^2, x^3 and so on, as in coefficients=1,0.05",
          words.c_str ());
  return list;
}

void check_rises (const std::vector<double> &coefficients, double highest, const std::string &words)
{
  constexpr int places = 256;
  const double end = highest > 0 ? highest : most_attenuation;
  for (int i = 0; i <= places; i++)
    if (const double x = end * i / places; !(slope_of (coefficients, x) > 0))
      fail (SINO_ERROR_BAD_PROPERTY,
            "coefficients=%s: the corrected value falls where the attenuation rises above %.3g: give other "
            "coefficients, or highest=, the value above which the curve is a straight line",
            words.c_str (), x);
}

std::optional<double> place_of_fall (const std::vector<double> &coefficients)
{
  constexpr int places = 4096;
  constexpr double end = 1e6; // more than any value of a scan
  for (int i = 0; i <= places; i++)
    if (const double x = most_attenuation * std::pow (end / most_attenuation, static_cast<double> (i) / places);
        !(slope_of (coefficients, x) > 0))
      return x;
  return {};
}

} // namespace sino::beam_hardening
