// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/median/median.hpp"
#include "kernels/median/medians.hpp"
#include "kernels/median/network.hpp"
#include <array>
#include <limits>

namespace sino::median {
namespace {

// Simple loops, which compilers turn into vectors.
template <Element> struct Keys;

template <> struct Keys<Element::f32> {
  using Key = int32_t;
  static constexpr Key nan = 0x7fc00000;
  static bool is_nan (Key bits) { return (bits & 0x7fffffff) > 0x7f800000; }
  static Key turned (Key bits) { return bits ^ (bits >> 31 & 0x7fffffff); } // its own inverse
  static Key back (Key key) { return turned (key); }
};

template <> struct Keys<Element::f16> {
  using Key = uint16_t;
  static constexpr Key nan = 0xfe00;
  static bool is_nan (Key bits) { return (bits & 0x7fff) > 0x7c00; }
  static Key turned (Key bits) { return static_cast<Key> (bits ^ (bits & 0x8000 ? 0xffff : 0x8000)); }
  static Key back (Key key) { return static_cast<Key> (key ^ (key & 0x8000 ? 0x8000 : 0xffff)); }
};

template <class K> bool turn (const void *values, int64_t n, void *keys)
{
  using Key = typename K::Key;
  const auto *from = static_cast<const Key *> (values);
  auto *to = static_cast<Key *> (keys);
  Key nans = 0;
  for (int64_t i = 0; i < n; i++) {
    const Key bits = from[i];
    const bool nan = K::is_nan (bits);
    nans = static_cast<Key> (nans | nan);
    to[i] = nan ? std::numeric_limits<Key>::max () : K::turned (bits);
  }
  return nans != 0;
}

template <class K> void turn_back (const void *keys, int64_t n, void *values)
{
  const auto *from = static_cast<const typename K::Key *> (keys);
  auto *to = static_cast<typename K::Key *> (values);
  for (int64_t i = 0; i < n; i++)
    to[i] = K::back (from[i]);
}

// Recomputes the medians of windows that contain NaN.
template <class K>
void leave_out_nans (MedianWindow window, std::span<const std::byte *const> lines, int64_t step, int64_t n, void *out)
{
  using Key = typename K::Key;
  constexpr Key nan = std::numeric_limits<Key>::max ();
  constexpr int64_t part = 4096, most_step = 32; // values at a time, and lanes
  const auto reach = window.square ? window.size / 2 : 0;
  const auto line = [&] (size_t i) { return reinterpret_cast<const Key *> (lines[i]); };
  std::array<uint8_t, static_cast<size_t> (part + (most_median - 1) * most_step)> bad; // columns with NaN
  std::array<Key, static_cast<size_t> (most_median * most_median)> valid;
  for (int64_t first = 0; first < n; first += part) {
    const auto values = std::min (part, n - first);
    bad.fill (0);
    for (size_t l = 0; l < lines.size (); l++)
      for (int64_t i = 0; i < values + 2 * reach * step; i++)
        bad[static_cast<size_t> (i)] |= static_cast<uint8_t> (line (l)[first + i] == nan);
    for (int64_t x = 0; x < values; x++) {
      bool any = false;
      for (int c = 0; c <= 2 * reach; c++)
        any = any || bad[static_cast<size_t> (x + c * step)];
      if (!any)
        continue;
      auto end = valid.begin ();
      for (size_t l = 0; l < lines.size (); l++)
        for (int c = 0; c <= 2 * reach; c++)
          if (const Key key = line (l)[first + x + c * step]; key != nan)
            *end++ = key;
      const auto middle = valid.begin () + (end - valid.begin () - 1) / 2;
      if (end != valid.begin ())
        std::nth_element (valid.begin (), middle, end);
      static_cast<Key *> (out)[first + x] = end == valid.begin () ? K::nan : *middle;
    }
  }
}

template <class K>
void finish (MedianWindow window, std::span<const std::byte *const> lines, bool nans, int64_t step, int64_t n,
             void *values)
{
  if (nans)
    leave_out_nans<K> (window, lines, step, n, values);
  turn_back<K> (values, n, values);
}

const Program &program_of (MedianWindow window)
{
  return with_size (window.size, [&]<int SIZE> (std::integral_constant<int, SIZE>) -> const Program & {
    return window.square ? around_of<SIZE> : down_of<SIZE>;
  });
}

} // namespace

bool median_keys (Element element, const void *values, int64_t n, void *keys)
{
  if (element == Element::f32)
    return turn<Keys<Element::f32>> (values, n, keys);
  if (element == Element::f16)
    return turn<Keys<Element::f16>> (values, n, keys);
  std::copy_n (static_cast<const std::byte *> (values), n * static_cast<int64_t> (size_of (element)),
               static_cast<std::byte *> (keys));
  return false;
}

void median_values (Element element, const void *keys, int64_t n, void *values)
{
  if (element == Element::f32)
    return turn_back<Keys<Element::f32>> (keys, n, values);
  if (element == Element::f16)
    return turn_back<Keys<Element::f16>> (keys, n, values);
  std::copy_n (static_cast<const std::byte *> (keys), n * static_cast<int64_t> (size_of (element)),
               static_cast<std::byte *> (values));
}

void median_line (Element element, MedianWindow window, std::span<const std::byte *const> lines, bool nans,
                  int64_t step, int64_t n, std::byte *scratch, void *values)
{
  const auto with = [&]<class Key> (Key) {
    medians_of_keys (window, reinterpret_cast<const Key *const *> (lines.data ()), step, n,
                     reinterpret_cast<Key *> (scratch), static_cast<Key *> (values));
  };
  switch (element) {
  case Element::u8:
    return with (uint8_t ());
  case Element::u16:
    return with (uint16_t ());
  case Element::f16:
    with (uint16_t ());
    return finish<Keys<Element::f16>> (window, lines, nans, step, n, values);
  case Element::f32:
    with (int32_t ());
    return finish<Keys<Element::f32>> (window, lines, nans, step, n, values);
  }
}

int median_operations (MedianWindow window)
{
  const auto &program = program_of (window);
  int operations = 0;
  for (const auto &step : program.step)
    for (int c = 0; c < step.comparators; c++)
      operations +=
          step.comparator[static_cast<size_t> (c)].keeps_low + step.comparator[static_cast<size_t> (c)].keeps_high;
  return operations;
}

size_t median_scratch (Element element, MedianWindow window, int64_t step)
{
  const auto &program = program_of (window);
  const auto size = size_of (element);
  constexpr size_t wires = 225 * looped_vectors;
  return static_cast<size_t> (program.rows * part_of (program, step, size).pitch) * size + (wires + 1) * vector_bytes;
}

} // namespace sino::median
