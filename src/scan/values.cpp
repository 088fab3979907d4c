// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/values.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "scan/missing.hpp"
#include <algorithm>
#include <cmath>

namespace sino::scan {

namespace {

// Thresholds below which values count as equal, relative to a level.
constexpr double near_air = 0.15;                        // transmission beside the object, difference from 1
constexpr double even_spread = 0.05, even_slope = 0.015; // limits for columns without object
constexpr double least_exposure = 0.05;                  // difference of exposure that would be visible in slices

bool is_even (const Seen::Border &border)
{
  return border.spread < even_spread && border.slope < even_slope && border.level > 0;
}

bool alike (double a, double b, double share)
{
  return std::abs (a - b) <= share * std::max (std::abs (a), std::abs (b));
}

const Seen::Border &brighter (const Seen &seen)
{
  return seen.left.level > seen.right.level ? seen.left : seen.right;
}

// Judges what float values mean. Transmission is 1 beside the object and lower in it. Attenuation is 0 beside the
// object, or, if the object is larger than the field of view, not greater at the borders than between them. Otherwise
// the meaning stays open.
Meaning judge (const Seen &seen)
{
  const auto bright = brighter (seen).level, dark = std::min (seen.left.level, seen.right.level);
  if (std::abs (dark) < 0.05 * seen.most) // attenuation of air
    return Meaning::attenuation;
  if (alike (bright, 1, near_air) && seen.least > -0.05 && seen.most < 1.3 && seen.mean <= bright + 0.02)
    return Meaning::transmission;
  if (bright > seen.most - 0.1 * (seen.most - seen.least) && seen.most > seen.least)
    return Meaning::open;
  return Meaning::attenuation;
}

[[noreturn]] void ask (const std::string &path, const Format &format)
{
  throw Missing (
      SINO_ERROR_BAD_FORMAT,
      text ("'%s' contains %s, and has no flats: give --flats= (and --darks=) if the values are counts, "
            "--values=transmission if they are the transmitted fraction of the beam, --values=attenuation if "
            "they are -ln of it, or --values=emission",
            path.c_str (), format.describe ().c_str ()));
}

bool is_integer (const Format &format)
{
  return format.element == Element::u8 || format.element == Element::u16 || std::isfinite (format.top);
}

// The value of pixels without object.
double air_of (const Format &format, std::vector<std::string> &said)
{
  const auto greatest = static_cast<double> (greatest_of (format.element, format.top));
  if (!format.look)
    return std::isfinite (greatest) ? greatest : 1;
  const auto seen = format.look->see ();
  const auto &border = brighter (seen);
  if (!is_integer (format) && alike (border.level, 1, near_air))
    return 1;
  if (is_even (border) && border.level >= 0.7 * seen.most) {
    said.push_back (text ("values beside the object are %.6g, which is used as a transmission of 1", border.level));
    return border.level;
  }
  if (!is_integer (format))
    return 1;
  said.push_back (
      text ("there is no air beside the object: the greatest value, %.10g, is used as a transmission of 1", greatest));
  return greatest;
}

// Adds a node that scales each projection by a region beside the object, if flats were taken with another exposure and
// air is visible.
void add_dose_node (const Format &format, bool phase, const LineNode *bin, ToAttenuation &found)
{
  if (!format.look)
    return;
  const auto seen = format.look->see ();
  if (!seen.air)
    return;
  const auto &[left, right] = *seen.air;
  const bool l = is_even (left), r = is_even (right);
  const bool both = l && r && alike (left.level, right.level, even_spread);
  const bool use_right = r && (!l || right.slope < left.slope);
  const auto &air = use_right ? right : left;
  // Transmission cannot exceed 1. A lower value may be due to the object, unless both sides agree.
  if (!(l || r) || std::abs (air.level - 1) <= least_exposure || (air.level < 1 && !both))
    return;
  const auto of_bin = [&] (const char *property, int64_t otherwise) {
    int64_t number = 0;
    return bin && parse_integer (bin->value_of (property), number) && number > 0 ? number : otherwise;
  };
  const auto by = of_bin ("columns", 1), rows_by = of_bin ("rows", format.kind () == Kind::sinograms ? 1 : by);
  const auto columns = format.extent (Axis::column) / by, rows = format.rows () / rows_by;
  const auto width = std::max<int64_t> (air.columns / by, 1), height = std::clamp<int64_t> (rows, 1, 16);
  const auto first = use_right ? columns - width : 0, top = std::max<int64_t> (rows - height, 0) / 2;
  found.said.push_back (text ("beside the object there is %.2g times the light of the flats, so that the flats have "
                              "another exposure: 'correct-dose' scales each projection by columns %" G_GINT64_FORMAT
                              " to %" G_GINT64_FORMAT,
                              air.level, first * by, (first + width) * by - 1));
  const auto number = [] (int64_t n) { return std::to_string (n); };
  found.nodes.push_back (
      {"correct-dose",
       {{"x", number (first)}, {"width", number (width)}, {"y", number (top)}, {"height", number (height)}}});
  found.nodes.back ().set ("absorption", phase ? "false" : "");
}

} // namespace

ToAttenuation to_attenuation (const std::string &path, const Format &format, bool phase, const LineNode *bin)
{
  ToAttenuation found;
  if (format.companions.flats) {
    found.nodes.push_back ({"flat-field"});
    found.nodes.back ().set ("absorption", phase ? "false" : "");
    add_dose_node (format, phase, bin, found);
    return found;
  }
  auto values = format.values;
  if (values == Meaning::open) {
    if (format.element == Element::u8 || format.element == Element::u16)
      ask (path, format);
    values = format.look ? judge (format.look->see ()) : Meaning::attenuation;
    if (values == Meaning::transmission) {
      found.read.emplace_back ("values", "transmission");
      found.said.push_back (
          "the values look like transmission, because they are near 1 beside the object and less in it: 'minus-log' "
          "turns them into attenuation; if they are attenuation, give --values=attenuation");
    }
  }
  if (values == Meaning::open || values == Meaning::counts)
    ask (path, format);
  if (values == Meaning::transmission) {
    const auto air = air_of (format, found.said);
    if (!phase)
      found.nodes.push_back (LineNode{"minus-log"}.set ("air", air == 1 ? "" : text ("%.9g", air)));
    else if (air != 1 || format.element != Element::f32)
      found.nodes.push_back (LineNode{"calculate"}.set ("expression", text ("x/%.9g", air)));
  } else if (phase && format.values != Meaning::open) // otherwise 'retrieve-phase' checks itself
    throw Missing (
        SINO_ERROR_BAD_PROPERTY,
        text ("--phase wants counts with flats, or --values=transmission, but the values are %s", name_of (values)));
  return found;
}

} // namespace sino::scan
