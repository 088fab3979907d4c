// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/convert.hpp"
#include "base/error.hpp"
#include "formats/with-type.hpp"
#include <cmath>
#include <cstring>
#include <limits>

namespace sino::files {

using namespace formats;

namespace {

// Each function returns whether the value did not fit.
bool store (double v, float &to)
{
  to = static_cast<float> (v);
  return false;
}
bool store (double v, Half &to)
{
  to.bits = half_from_float (static_cast<float> (v));
  return std::isfinite (v) && (to.bits & 0x7c00) == 0x7c00;
}
template <class T> bool store (double v, T &to)
{
  constexpr double greatest = std::numeric_limits<T>::max ();
  to = static_cast<T> (std::nearbyint (v > 0 ? std::min (v, greatest) : 0)); // NaN is not > 0 and becomes 0
  return !(v >= 0 && v <= greatest);
}

template <class From, class To>
int64_t convert (const std::byte *from, size_t n, std::byte *to, double least, double factor)
{
  int64_t misfits = 0;
  for (size_t i = 0; i < n; i++) {
    From in;
    To out;
    std::memcpy (&in, from + i * sizeof in, sizeof in);
    misfits += store ((as_double (in) - least) * factor, out);
    std::memcpy (to + i * sizeof out, &out, sizeof out);
  }
  return misfits;
}

} // namespace

Conversion::Conversion (Element from, Element to, std::optional<std::pair<double, double>> range)
{
  if (from == to && !range)
    return;
  function = with_type (from, [to] (auto in) {
    return with_type (to, [] (auto out) -> Function { return convert<decltype (in), decltype (out)>; });
  });
  if (range) {
    least = range->first;
    factor = greatest_integer (to) / (range->second - range->first);
  }
}

bool is_float (Element element)
{
  return element == Element::f16 || element == Element::f32;
}

int greatest_integer (Element element)
{
  return element == Element::u8 ? 255 : 65535;
}

std::optional<Scale> file_scale (const std::optional<Scale> &stream,
                                 const std::optional<std::pair<double, double>> &range, Element file)
{
  if (!range)
    return stream;
  return stream.value_or (Scale ()).of ({(range->second - range->first) / greatest_integer (file), range->first});
}

std::optional<std::pair<double, double>> mapped_range (const std::string &range, Element file)
{
  if (range.empty ())
    return {};
  const auto ends = parse_numbers (range, ':');
  if (ends.size () != 2 || !(ends[0] < ends[1]))
    fail (SINO_ERROR_BAD_PROPERTY, "range=%s must be two numbers min:max with min below max, for example range=0:0.02",
          range.c_str ());
  if (const auto width = ends[1] - ends[0]; !(width >= 1e-300 && width <= 1e300))
    fail (SINO_ERROR_BAD_PROPERTY, "range=%s: max - min is %g, but must be from 1e-300 to 1e300", range.c_str (),
          width);
  if (is_float (file))
    fail (SINO_ERROR_BAD_PROPERTY, "range=%s is for files of u16 or u8, not %s: set type=, or leave range= out",
          range.c_str (), name_of (file));
  return std::pair (ends[0], ends[1]);
}

} // namespace sino::files
