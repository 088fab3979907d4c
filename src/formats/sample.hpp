// SPDX-License-Identifier: LGPL-3.0-or-later
// Types of values in files. The first four are element types of streams; all others are converted to f32.
#pragma once
#include "stream/element.hpp"
#include <optional>
#include <string_view>

namespace sino::formats {

enum class Sample : uint8_t { u8, u16, f16, f32, i8, i16, u32, i32, u64, i64, f64 };

constexpr Sample last_sample = Sample::f64;

constexpr size_t size_of (Sample s)
{
  constexpr uint8_t sizes[] = {1, 2, 2, 4, 1, 2, 4, 4, 8, 8, 8};
  return sizes[static_cast<size_t> (s)];
}

constexpr const char *name_of (Sample s)
{
  constexpr const char *names[] = {"u8", "u16", "f16", "f32", "i8", "i16", "u32", "i32", "u64", "i64", "f64"};
  return names[static_cast<size_t> (s)];
}

constexpr std::optional<Sample> sample_named (std::string_view name)
{
  for (size_t i = 0; i <= static_cast<size_t> (last_sample); i++)
    if (const auto sample = static_cast<Sample> (i); name == name_of (sample))
      return sample;
  return {};
}

constexpr bool in_streams (Sample s)
{
  return s <= Sample::f32;
}

constexpr Sample sample_of (Element e)
{
  return static_cast<Sample> (e);
}

constexpr Element element_of (Sample s)
{
  return in_streams (s) ? static_cast<Element> (s) : Element::f32;
}

static_assert (sample_of (Element::f32) == Sample::f32 && element_of (Sample::u16) == Element::u16);

} // namespace sino::formats
