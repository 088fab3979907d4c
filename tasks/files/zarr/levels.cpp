// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/zarr/levels.hpp"
#include "formats/with-type.hpp"
#include <algorithm>
#include <bit>
#include <type_traits>

namespace sino::files {

using namespace formats;

namespace {

// The largest power of two that is not above n; at least 1.
int64_t power_below (int64_t n)
{
  return static_cast<int64_t> (std::bit_floor (static_cast<uint64_t> (std::max<int64_t> (n, 1))));
}

std::array<int64_t, 3> chunk_of (const std::array<int64_t, 3> &extent, int64_t pixel)
{
  constexpr int64_t layer = int64_t{64} << 20, chunk = 1 << 20;
  const auto page = extent[1] * extent[2] * pixel;
  const auto depth = std::clamp<int64_t> (power_below (layer / page), 2, 64);
  const auto area = chunk / (depth * pixel);
  const auto side = int64_t{1} << (std::bit_width (static_cast<uint64_t> (area)) - 1) / 2;
  return {depth, std::clamp<int64_t> (side, 64, 1024), std::clamp<int64_t> (side, 64, 1024)};
}

template <class T> auto value_of (T v)
{
  if constexpr (std::is_same_v<T, Half>)
    return half_to_float (v.bits);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<uint32_t> (v);
  else
    return v;
}

// The mean of n values; rounded for integers.
template <class T, class Sum> T mean (Sum sum, uint32_t n)
{
  if constexpr (std::is_same_v<T, Half>)
    return {half_from_float (sum / static_cast<float> (n))};
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T> ((sum + n / 2) / n);
  else
    return sum / static_cast<float> (n);
}

template <class T>
void halve_lines (const Level &from, const Level &to, const T *first, const T *second, T *out, int64_t begin,
                  int64_t end)
{
  using Sum = decltype (value_of (T ()));
  const auto columns = from.extent[2];
  for (auto y = begin; y < end; y++) {
    const T *lines[4];
    uint32_t n = 0;
    for (const auto *page : {first, second})
      for (auto line = 2 * y; page && line < std::min (2 * y + 2, from.extent[1]); line++)
        lines[n++] = page + line * columns;
    auto *to_line = out + y * to.extent[2];
    for (int64_t x = 0; x < to.extent[2]; x++) {
      Sum sum{};
      const auto last = std::min (2 * x + 1, columns - 1);
      for (uint32_t i = 0; i < n; i++)
        for (auto column = 2 * x; column <= last; column++)
          sum += value_of (lines[i][column]);
      to_line[x] = mean<T> (sum, n * static_cast<uint32_t> (last - 2 * x + 1));
    }
  }
}

template <class T>
void halve_page (const Level &from, const Level &to, const std::byte *first, const std::byte *second, std::byte *out,
                 const Cpu &cpu)
{
  cpu.parallel (to.extent[1], 16, [&] (int64_t begin, int64_t end) {
    halve_lines (from, to, reinterpret_cast<const T *> (first), reinterpret_cast<const T *> (second),
                 reinterpret_cast<T *> (out), begin, end);
  });
}

} // namespace

std::vector<Level> levels_of (const std::array<int64_t, 3> &extent, Element element)
{
  constexpr int64_t small = 128;
  const auto pixel = static_cast<int64_t> (size_of (element));
  std::vector<Level> levels{{extent, chunk_of (extent, pixel), {1, 1, 1}}};
  while (std::ranges::max (levels.back ().extent) > small) {
    auto next = levels.back ();
    for (size_t i = 0; i < 3; i++) {
      next.reduced[i] *= next.extent[i] > 1 ? 2 : 1;
      next.extent[i] = (next.extent[i] + 1) / 2;
    }
    next.chunk = chunk_of (next.extent, pixel);
    levels.push_back (next);
  }
  return levels;
}

void halve (const Level &from, const Level &to, Element element, const std::byte *first, const std::byte *second,
            std::byte *out, const Cpu &cpu)
{
  with_type (element, [&] (auto value) { halve_page<decltype (value)> (from, to, first, second, out, cpu); });
}

} // namespace sino::files
