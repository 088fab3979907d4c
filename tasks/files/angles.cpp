// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/angles.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/input-file.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

// "a:b" or "a:b:c" as two or three numbers; an empty list when it is something else, a path.
static std::vector<double> parse_sweep (const std::string &word)
{
  const auto numbers = parse_numbers (word, ':');
  const bool finite = std::all_of (numbers.begin (), numbers.end (), [] (double n) { return std::isfinite (n); });
  return finite && (numbers.size () == 2 || numbers.size () == 3) ? numbers : std::vector<double> ();
}

static bool is_angle (double degrees)
{
  return std::abs (degrees) <= largest_number;
}

bool is_sweep (const std::string &word)
{
  return !parse_sweep (word).empty ();
}

std::vector<double> parse_angles (const std::string &word, int64_t count)
{
  const auto sweep = parse_sweep (word);
  if (sweep.empty ()) {
    auto angles = read_numbers ("angles", "an angle in degrees", word, count, largest_number);
    if (std::ssize (angles) != count)
      fail (SINO_ERROR_BAD_FILE, "'%s' has %zu angles for %" G_GINT64_FORMAT " projections: it needs one for each",
            word.c_str (), angles.size (), count);
    return angles;
  }
  if (!is_angle (sweep[0]) || !is_angle (sweep[1]))
    fail (SINO_ERROR_BAD_PROPERTY, "angles=%s: degrees from -1e9 to 1e9 are wanted", word.c_str ());
  const auto turn = sweep[1] - sweep[0];
  auto step = turn / static_cast<double> (count);
  if (sweep.size () == 3) {
    step = sweep[2];
    // Allow for steps like 0.1 that have no exact binary form.
    const auto steps = step != 0 ? std::ceil (turn / step - 1e-6) : 0;
    if (steps != static_cast<double> (count))
      fail (SINO_ERROR_BAD_PROPERTY,
            "angles=%s makes %.0f angles for %" G_GINT64_FORMAT " projections: give start:stop, and the "
            "step follows",
            word.c_str (), std::max (steps, 0.0), count);
  }
  std::vector<double> angles (static_cast<size_t> (count));
  for (size_t i = 0; i < angles.size (); i++)
    angles[i] = sweep[0] + step * static_cast<double> (i);
  return angles;
}

double to_degrees (double angle)
{
  const auto near = degrees (angle);
  double round = near; // to 15 digits, as people write angles
  parse_number (text ("%.15g", near), round);
  if (radians (round) == angle)
    return round;
  double low = near, high = near;
  for (int i = 0; i < 4; i++) {
    if (radians (low) == angle)
      return low;
    if (radians (high) == angle)
      return high;
    low = std::nextafter (low, -HUGE_VAL);
    high = std::nextafter (high, HUGE_VAL);
  }
  return near;
}

} // namespace sino::files
