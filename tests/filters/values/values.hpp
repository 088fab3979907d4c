// SPDX-License-Identifier: LGPL-3.0-or-later
// Streams of numbers for the tests of filters that take any element and any axes.
#pragma once
#include "base/half.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>

namespace sino::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline double value_at (const Array &array, size_t i)
{
  switch (array.format.element) {
  case Element::u8:
    return array.as<uint8_t> ()[i];
  case Element::u16:
    return array.as<uint16_t> ()[i];
  case Element::f16:
    return static_cast<double> (half_to_float (array.as<uint16_t> ()[i]));
  default:
    return static_cast<double> (array.as<float> ()[i]);
  }
}

inline void set_value (Array &array, size_t i, float value)
{
  switch (array.format.element) {
  case Element::u8:
    array.as<uint8_t> ()[i] = static_cast<uint8_t> (value);
    break;
  case Element::u16:
    array.as<uint16_t> ()[i] = static_cast<uint16_t> (value);
    break;
  case Element::f16:
    array.as<uint16_t> ()[i] = half_from_float (value);
    break;
  default:
    array.as<float> ()[i] = value;
  }
}

inline size_t size_of (const Array &array)
{
  return array.bytes.size () / sino::size_of (array.format.element);
}

// `value (i, noise)`: the number at place i, of noise in [0, 1).
template <class Value> Array filled (const Format &format, Value value)
{
  Array array{format, std::vector<std::byte> (static_cast<size_t> (format.bytes ()))};
  uint32_t state = 12345;
  for (size_t i = 0; i < size_of (array); i++) {
    state = state * 1664525 + 1013904223;
    set_value (array, i, value (i, static_cast<float> (state >> 8) * 0x1p-24f));
  }
  return array;
}

// The value at a place of the stream's three axes; beyond its border, the nearest one.
inline double near_value (const Array &array, int64_t i, int64_t j, int64_t k)
{
  const auto &axes = array.format.axes;
  const auto inside = [&] (int64_t n, size_t axis) { return std::clamp<int64_t> (n, 0, axes[axis].extent - 1); };
  return value_at (
      array, static_cast<size_t> ((inside (i, 0) * axes[1].extent + inside (j, 1)) * axes[2].extent + inside (k, 2)));
}

// Calls f (place, i, j, k) for each value.
template <class F> void each_place (const Array &array, F f)
{
  const auto &axes = array.format.axes;
  size_t place = 0;
  for (int64_t i = 0; i < axes[0].extent; i++)
    for (int64_t j = 0; j < axes[1].extent; j++)
      for (int64_t k = 0; k < axes[2].extent; k++)
        f (place++, i, j, k);
}

// One of each kind, with odd sizes.
inline std::vector<Format> streams (Element element)
{
  return {projections (element, {Axis::angle, 5}, {Axis::row, 11}, {Axis::column, 70}),
          sinograms (element, {Axis::row, 6}, {Axis::angle, 9}, {Axis::column, 33}),
          slices (element, {Axis::z, 4}, {Axis::y, 12}, {Axis::x, 41})};
}

// One line of floats.
inline Array line_of (const std::vector<float> &values)
{
  const auto n = static_cast<int64_t> (values.size ());
  return filled (projections (Element::f32, {Axis::angle, 1}, {Axis::row, 1}, {Axis::column, n}),
                 [&] (size_t i, float) { return values[i]; });
}

// The result of a node, which must be the same and count the same however the stream is cut, and in any lanes.
inline Array result_of (const char *node, const Settings &settings, const Array &in,
                        std::map<std::string, int64_t> *counters = nullptr)
{
  std::map<std::string, int64_t> counted;
  const auto task = make_task (node, settings);
  std::vector<const Array *> inputs (task->inputs ().size (), nullptr);
  inputs[0] = &in;
  auto whole = run_task (*task, inputs, {}, 1, &counted);
  std::vector<Cut> cuts{{.rows = 1, .angles = 1, .threads = 1}, {.rows = 4, .angles = 3}, {.angles = 2, .threads = 3}};
  if (in.format.kind () == Kind::sinograms)
    cuts.insert (cuts.end (), {{.lanes = 2}, {.threads = 1, .lanes = 4}, {.lanes = 32}});
  for (const auto &cut : cuts) {
    std::map<std::string, int64_t> again;
    same_bytes (run_task (*make_task (node, settings), inputs, cut, 1, &again), whole);
    g_assert_true (again == counted);
  }
  if (counters)
    *counters = counted;
  return whole;
}

// What a node says to a format.
inline std::string refusal (const char *node, const Settings &settings, const Format &format)
{
  return message_of ([&] {
    const auto task = make_task (node, settings);
    std::vector<const Format *> inputs (task->inputs ().size (), nullptr);
    inputs[0] = &format;
    negotiated (*task, inputs);
  });
}

} // namespace sino::test
