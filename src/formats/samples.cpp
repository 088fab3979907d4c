// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/samples.hpp"
#include "formats/with-type.hpp"
#include <algorithm>
#include <cstring>
#include <limits>

namespace sino::formats {

namespace {

template <class T> T turned (T value)
{
  std::byte bytes[sizeof value];
  std::memcpy (bytes, &value, sizeof value);
  std::reverse (bytes, bytes + sizeof value);
  std::memcpy (&value, bytes, sizeof value);
  return value;
}

// Without a scale, each value is rounded once. Doubles beyond the range of f32 become infinite.
template <class To, class From> To converted (From value, const Samples &samples, bool scaled)
{
  if constexpr (!std::is_same_v<From, Half>)
    if (!scaled)
      return static_cast<To> (value);
  return static_cast<To> (samples.zero + samples.scale * as_double (value));
}

template <class From, class To>
void convert (const std::byte *line, int64_t first, Numbers columns, const Samples &samples, std::byte *out)
{
  const bool scaled = samples.scale != 1 || samples.zero != 0;
  const auto one = [&] (int64_t column, size_t i, bool swapped, bool with_scale) {
    From value;
    std::memcpy (&value, line + static_cast<size_t> (column - first) * sizeof value, sizeof value);
    const auto result = converted<To> (swapped ? turned (value) : value, samples, with_scale);
    std::memcpy (out + i * sizeof result, &result, sizeof result);
  };
  // Branch-free loops for the common cases.
  const auto begin = columns.front ();
  if (consecutive (columns) && !samples.swapped && !scaled)
    for (size_t i = 0; i < columns.size (); i++)
      one (begin + static_cast<int64_t> (i), i, false, false);
  else if (consecutive (columns) && samples.swapped && !scaled)
    for (size_t i = 0; i < columns.size (); i++)
      one (begin + static_cast<int64_t> (i), i, true, false);
  else
    for (size_t i = 0; i < columns.size (); i++)
      one (columns[i], i, samples.swapped, scaled);
}

} // namespace

Element Samples::element () const
{
  if (type == Sample::i16 && !real && scale == 1 && zero == 32768)
    return Element::u16;
  return plain () ? element_of (type) : Element::f32;
}

float Samples::greatest () const
{
  return with_type (type, [&] (auto value) {
    using Value = decltype (value);
    if constexpr (std::is_integral_v<Value>)
      return static_cast<float> (zero + scale * as_double (std::numeric_limits<Value>::max ()));
    else
      return std::numeric_limits<float>::infinity ();
  });
}

void Samples::take (const std::byte *line, int64_t first, Numbers columns, std::byte *out) const
{
  if (plain ()) {
    gather (line, first, columns, size_of (type), out);
    if (swapped)
      swap_bytes (out, columns.size (), size_of (type));
  } else if (element () == Element::u16)
    convert<int16_t, uint16_t> (line, first, columns, *this, out);
  else
    with_type (type, [&] (auto value) { convert<decltype (value), float> (line, first, columns, *this, out); });
}

} // namespace sino::formats
