// SPDX-License-Identifier: LGPL-3.0-or-later
// A small scan with darks and flats, for the tests of flat-field.
#pragma once
#include "base/half.hpp"
#include "tests/support/run-task.hpp"
#include <cmath>
#include <cstring>
#include <functional>

namespace sino::test {

inline constexpr int64_t angles = 7, rows = 11, columns = 43;
using Properties = std::vector<std::pair<std::string, std::string>>;
using Value = std::function<double (int64_t frame, int64_t row, int64_t column)>;

inline void store (Element element, std::byte *to, double value)
{
  const auto put = [to] (auto v) { std::memcpy (to, &v, sizeof v); };
  switch (element) {
  case Element::u8:
    return put (static_cast<uint8_t> (value));
  case Element::u16:
    return put (static_cast<uint16_t> (value));
  case Element::f16:
    return put (half_from_float (static_cast<float> (value)));
  default:
    return put (static_cast<float> (value));
  }
}

struct Stack final : Frames {
  std::vector<std::byte> bytes;

  Stack (Element e, int64_t n, const Value &value)
  {
    element = e;
    count = n;
    rows = test::rows;
    columns = test::columns;
    const auto size = size_of (e);
    bytes.resize (static_cast<size_t> (n * rows * columns) * size);
    for (int64_t i = 0; i < n * rows * columns; i++)
      store (e, &bytes[static_cast<size_t> (i) * size], value (i / (rows * columns), i / columns % rows, i % columns));
  }
  void read (Interval some, Interval wanted, void *pixels, const Watch &) const override
  {
    const auto n = static_cast<size_t> (wanted.size ()) * row_bytes ();
    auto *to = static_cast<std::byte *> (pixels);
    for (auto frame = some.begin; frame < some.end; frame++, to += n)
      std::memcpy (to, &bytes[static_cast<size_t> (frame * rows + wanted.begin) * row_bytes ()], n);
  }
};

inline double dark_of (int64_t frame, int64_t row, int64_t column)
{
  return static_cast<double> (5 + (row + column) % 3 + 2 * frame);
}
inline double flat_of (int64_t frame, int64_t row, int64_t column)
{
  return static_cast<double> (180 + (3 * row + 5 * column + 7 * frame) % 40);
}
inline double data_of (int64_t angle, int64_t row, int64_t column)
{
  return static_cast<double> (20 + (31 * angle + 17 * row + 29 * column) % 200);
}

inline Array scan (Element element, bool sinogram, const Value &value, std::shared_ptr<const Frames> darks,
                   std::shared_ptr<const Frames> flats)
{
  const Dim angle{Axis::angle, angles}, row{Axis::row, rows}, column{Axis::column, columns};
  Array array{sinogram ? sinograms (element, row, angle, column) : projections (element, angle, row, column), {}};
  array.format.companions = {std::move (darks), std::move (flats), "read"};
  array.bytes.resize (static_cast<size_t> (array.format.bytes ()));
  const auto size = size_of (element);
  for (int64_t a = 0; a < angles; a++)
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < columns; c++) {
        const auto at = (sinogram ? r * angles + a : a * rows + r) * columns + c;
        store (element, &array.bytes[static_cast<size_t> (at) * size], value (a, r, c));
      }
  return array;
}

inline double value_at (const Array &out, int64_t a, int64_t r, int64_t c)
{
  const auto at = (out.format.kind () == Kind::sinograms ? r * angles + a : a * rows + r) * columns + c;
  return static_cast<double> (out.as<float> ()[at]);
}

// Rounding to float of the quotient and of its logarithm, which is right to 4 units in the last place.
inline void check_near (const Array &out, const Value &should)
{
  g_assert_true (out.format.element == Element::f32);
  for (int64_t a = 0; a < angles; a++)
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < columns; c++) {
        const double is = value_at (out, a, r, c), want = should (a, r, c);
        if (!(std::fabs (is - want) <= 4e-7 * std::max (1., std::fabs (want))))
          g_error ("(%d, %d, %d) is %.9g, not %.9g", int (a), int (r), int (c), is, want);
      }
}

inline double mean (const Value &value, int64_t frames, int64_t row, int64_t column)
{
  double sum = 0;
  for (int64_t i = 0; i < frames; i++)
    sum += value (i, row, column);
  return sum / static_cast<double> (frames);
}

inline double absorption (int64_t a, int64_t r, int64_t c)
{
  const double dark = mean (dark_of, 3, r, c);
  return -std::log ((data_of (a, r, c) - dark) / (mean (flat_of, 4, r, c) - dark));
}

} // namespace sino::test
