// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/angles.hpp"
#include "base/error.hpp"
#include "base/input-file.hpp"
#include <cmath>
#include <numbers>

namespace sino::files {

// "a:b" or "a:b:c" as two or three numbers; an empty list when it is something else, a path.
static std::vector<double> parse_sweep (const std::string &word)
{
  std::vector<double> numbers;
  for (size_t at = 0; at <= word.size ();) {
    const auto colon = std::min (word.find (':', at), word.size ());
    double number = 0;
    if (!parse_number (word.substr (at, colon - at), number) || !std::isfinite (number))
      return {};
    numbers.push_back (number);
    at = colon + 1;
  }
  return numbers.size () == 2 || numbers.size () == 3 ? numbers : std::vector<double> ();
}

static bool is_angle (double degrees)
{
  return std::abs (degrees) <= largest_number;
}

static std::vector<double> read_text (const std::string &path, int64_t count)
{
  const auto content = read_input ("angles", path, most_number_bytes (count));
  std::vector<double> angles;
  int64_t line = 1;
  for (size_t at = 0; at < content.size ();) {
    const auto end = std::min (content.find_first_of (" \t\r\n,;", at), content.size ());
    const auto word = content.substr (at, end - at);
    double angle = 0;
    if (word.starts_with ('#')) { // a comment to the end of the line
      at = std::min (content.find ('\n', at), content.size ());
      continue;
    }
    if (!word.empty () && (!parse_number (word, angle) || !is_angle (angle)))
      fail (SINO_ERROR_BAD_FILE, "'%s' line %" G_GINT64_FORMAT ": '%.40s' is not an angle in degrees", path.c_str (),
            line, word.c_str ());
    if (!word.empty ())
      angles.push_back (angle);
    line += end < content.size () && content[end] == '\n';
    at = end + 1;
  }
  return angles;
}

bool is_sweep (const std::string &word)
{
  return !parse_sweep (word).empty ();
}

std::vector<double> parse_angles (const std::string &word, int64_t count)
{
  const auto sweep = parse_sweep (word);
  if (sweep.empty ()) {
    auto angles = read_text (word, count);
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

double to_radians (double degrees)
{
  return degrees * std::numbers::pi / 180;
}

double to_degrees (double radians)
{
  const auto near = radians * 180 / std::numbers::pi;
  double round = near; // to 15 digits, as people write angles
  parse_number (text ("%.15g", near), round);
  if (to_radians (round) == radians)
    return round;
  double low = near, high = near;
  for (int i = 0; i < 4; i++) {
    if (to_radians (low) == radians)
      return low;
    if (to_radians (high) == radians)
      return high;
    low = std::nextafter (low, -HUGE_VAL);
    high = std::nextafter (high, HUGE_VAL);
  }
  return near;
}

} // namespace sino::files
