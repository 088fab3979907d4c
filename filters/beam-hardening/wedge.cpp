// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/wedge.hpp"
#include "base/error.hpp"
#include "base/files/number-file.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sino::beam_hardening {

namespace {

using Steps = std::vector<std::pair<double, double>>; // attenuation and thickness, rising; the first is (0, 0)

Steps read_steps (const std::string &path)
{
  constexpr size_t most = 10000;
  const std::array counts{static_cast<int64_t> (2 * most + 1)}; // odd, because any even number is good
  const auto numbers = read_numbers ("wedge", "a thickness, an attenuation or a transmission", path, counts, 1e9);
  if (numbers.size () < 4 || numbers.size () % 2 != 0 || numbers.size () > 2 * most)
    fail (SINO_ERROR_BAD_FILE,
          "wedge=%s has %zu numbers: give two or more lines with a thickness and an attenuation or a transmission",
          path.c_str (), numbers.size ());
  Steps steps; // thickness and value at first
  for (size_t i = 0; i < numbers.size (); i += 2)
    steps.emplace_back (numbers[i], numbers[i + 1]);
  std::ranges::sort (steps);
  if (steps.front ().first < 0)
    fail (SINO_ERROR_BAD_FILE, "wedge=%s has the thickness %g: count thickness from 0, which is air", path.c_str (),
          steps.front ().first);
  // Transmission falls where thickness rises.
  if (steps.back ().second < steps.front ().second)
    for (auto &[thickness, value] : steps) {
      if (!(value > 0))
        fail (SINO_ERROR_BAD_FILE, "wedge=%s: a transmission of %g is not above 0: leave this step out", path.c_str (),
              value);
      value = -std::log (value);
    }
  if (steps.front ().first > 0)
    steps.insert (steps.begin (), {0, 0});
  const double air = steps.front ().second; // transmission in counts, or flats of another exposure
  for (auto &[thickness, value] : steps) {
    value -= air;
    std::swap (thickness, value);
  }
  for (size_t i = 1; i < steps.size (); i++)
    if (!(steps[i].first > steps[i - 1].first && steps[i].second > steps[i - 1].second))
      fail (SINO_ERROR_BAD_FILE,
            "wedge=%s: the attenuation does not rise from thickness %g to %g: leave out steps that are too thick to be "
            "measured, and steps that stand twice",
            path.c_str (), steps[i - 1].second, steps[i].second);
  return steps;
}

// Slopes of the cubic at the steps, by the weighted harmonic mean of F. N. Fritsch and J. Butland, SIAM Journal on
// Scientific and Statistical Computing 5, 1984, 300; at the ends, those of a parabola through three steps.
std::vector<double> slopes_of (const Steps &steps)
{
  const auto n = steps.size ();
  std::vector<double> width, rise;
  for (size_t i = 1; i < n; i++) {
    width.push_back (steps[i].first - steps[i - 1].first);
    rise.push_back ((steps[i].second - steps[i - 1].second) / width.back ());
  }
  if (n == 2)
    return {rise[0], rise[0]};
  const auto end = [&] (size_t near, size_t far) {
    const double slope =
        ((2 * width[near] + width[far]) * rise[near] - width[near] * rise[far]) / (width[near] + width[far]);
    return std::clamp (slope, 0.2 * rise[near], 3 * rise[near]);
  };
  std::vector<double> slopes{end (0, 1)};
  for (size_t i = 1; i + 1 < n; i++) {
    const double a = 2 * width[i] + width[i - 1], b = width[i] + 2 * width[i - 1];
    slopes.push_back ((a + b) / (a / rise[i - 1] + b / rise[i]));
  }
  slopes.push_back (end (n - 2, n - 3));
  return slopes;
}

} // namespace

Curve wedge_curve (const std::string &path)
{
  constexpr int places = 4096;
  const auto steps = read_steps (path);
  const auto slopes = slopes_of (steps);
  std::vector<double> values{0};
  size_t i = 0;
  for (int place = 1; place <= places; place++) {
    const double x = steps.back ().first * place / places;
    while (i + 2 < steps.size () && x > steps[i + 1].first)
      i++;
    const double width = steps[i + 1].first - steps[i].first, t = (x - steps[i].first) / width, s = 1 - t;
    values.push_back (s * s * ((1 + 2 * t) * steps[i].second + t * width * slopes[i]) +
                      t * t * ((1 + 2 * s) * steps[i + 1].second - s * width * slopes[i + 1]));
  }
  for (auto &value : values) // from thickness to attenuation
    value *= steps[1].first / steps[1].second;
  return Curve::table (values, steps.back ().first / places);
}

} // namespace sino::beam_hardening
