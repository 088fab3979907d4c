// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/contrast.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <vector>

namespace sino::live {

void check_contrast (const Contrast &contrast, const std::string &word)
{
  const bool within = !contrast.percent || (contrast.black >= 0 && contrast.white <= 100);
  if (!(std::isfinite (contrast.black) && std::isfinite (contrast.white) && contrast.black < contrast.white && within))
    fail (SINO_ERROR_BAD_PROPERTY, "contrast=%s: give two values, the smaller one first, %s", word.c_str (),
          contrast.percent ? "from 0% to 100%" : "as 0:0.02");
}

Contrast parse_contrast (const std::string &word)
{
  if (word == "auto")
    return {};
  const auto limits = split (word, ':');
  Contrast contrast;
  const auto number = [&] (std::string limit, double &value) {
    contrast.percent = limit.ends_with ('%');
    if (contrast.percent)
      limit.pop_back ();
    return parse_number (limit, value);
  };
  const bool two = limits.size () == 2, good = two && number (limits[1], contrast.white);
  const bool percent = contrast.percent;
  if (!good || !number (limits[0], contrast.black) || contrast.percent != percent)
    fail (SINO_ERROR_BAD_PROPERTY,
          "contrast=%s is neither auto, nor two values as 0:0.02, nor two shares of the pixels as 1%%:99%%",
          word.c_str ());
  check_contrast (contrast, word);
  return contrast;
}

GreyRange range_of (const Contrast &contrast, std::span<const float> values)
{
  if (!contrast.percent)
    return {contrast.black, contrast.white};
  constexpr size_t most = 1 << 18; // pixels that are looked at, evenly spread
  const auto step = std::max<size_t> (values.size () / most, 1);
  std::vector<float> some;
  for (size_t i = 0; i < values.size (); i += step)
    if (std::isfinite (values[i]))
      some.push_back (values[i]);
  if (some.empty ())
    return {0, 1};
  const auto at = [&some] (double percent) {
    const auto place = static_cast<ptrdiff_t> (std::lround (percent / 100 * static_cast<double> (some.size () - 1)));
    std::ranges::nth_element (some, some.begin () + place);
    return static_cast<double> (some[static_cast<size_t> (place)]);
  };
  return {at (contrast.black), at (contrast.white)};
}

void to_grey (const GreyRange &range, std::span<const float> values, uint8_t *to)
{
  const double width = range.white - range.black;
  const auto factor = static_cast<float> (width > 0 ? 255 / width : 0), black = static_cast<float> (range.black);
  std::ranges::transform (values, to, [=] (float value) {
    const float grey = (value - black) * factor;
    return grey > 0 ? static_cast<uint8_t> (std::lround (std::min (grey, 255.0f))) : uint8_t{0}; // false for NaN
  });
}

} // namespace sino::live
