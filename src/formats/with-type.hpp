// SPDX-License-Identifier: LGPL-3.0-or-later
// The C++ types of values in files and streams.
#pragma once
#include "base/half.hpp"
#include "formats/sample.hpp"

namespace sino::formats {

// A value of f16.
struct Half {
  uint16_t bits;
};

template <class T> double as_double (T value)
{
  return static_cast<double> (value);
}
inline double as_double (Half value)
{
  return half_to_float (value.bits);
}

// Calls `body` with a value of the C++ type.
template <class Body> auto with_type (Element type, Body body)
{
  switch (type) {
  case Element::u8:
    return body (uint8_t{});
  case Element::u16:
    return body (uint16_t{});
  case Element::f16:
    return body (Half{});
  default:
    return body (float{});
  }
}

template <class Body> auto with_type (Sample type, Body body)
{
  switch (type) {
  case Sample::i8:
    return body (int8_t{});
  case Sample::i16:
    return body (int16_t{});
  case Sample::u32:
    return body (uint32_t{});
  case Sample::i32:
    return body (int32_t{});
  case Sample::u64:
    return body (uint64_t{});
  case Sample::i64:
    return body (int64_t{});
  case Sample::f64:
    return body (double{});
  default:
    return with_type (element_of (type), body);
  }
}

} // namespace sino::formats
