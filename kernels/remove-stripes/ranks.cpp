// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/remove-stripes/ranks.hpp"
#include <array>
#include <utility>

namespace sino::remove_stripes {

namespace {

constexpr int64_t at_once = 32; // columns: a piece of a row is two cache lines

// --- sorts a column by its digits, the least ones first (D. E. Knuth, The Art of Computer Programming 3, 5.2.5) ---

constexpr int digits = 3, bits = 11;
using Counts = std::array<std::array<uint32_t, 1 << bits>, digits>;

uint32_t digit (uint64_t key, int which)
{
  return static_cast<uint32_t> (key >> which * bits) & ((1u << bits) - 1);
}

// Counts for each digit the keys with smaller digits.
void count (const int32_t *keys, int64_t n, Counts &counts)
{
  counts = {};
  for (int64_t i = 0; i < n; i++)
    for (int d = 0; d < digits; d++)
      counts[static_cast<size_t> (d)][digit (static_cast<uint32_t> (keys[i]) ^ 0x80000000u, d)]++;
  for (auto &each : counts) {
    uint32_t before = 0;
    for (auto &entry : each)
      before += std::exchange (entry, before);
  }
}

// Sorts keys of 32 bits. Each is stored in the lower half of a 64-bit number, with its angle in the upper half.
struct Sorter {
  uint64_t *first, *second;
  Counts counts;

  // Calls put (rank, key, angle) for each key.
  template <class Put> void sort (const int32_t *keys, int64_t n, Put put)
  {
    count (keys, n, counts);
    for (int64_t i = 0; i < n; i++) {
      const auto key = static_cast<uint32_t> (keys[i]) ^ 0x80000000u;
      first[counts[0][digit (key, 0)]++] = static_cast<uint64_t> (i) << 32 | key;
    }
    for (int64_t i = 0; i < n; i++)
      second[counts[1][digit (first[i], 1)]++] = first[i];
    for (int64_t i = 0; i < n; i++) {
      const auto key = static_cast<uint32_t> (second[i]) ^ 0x80000000u;
      put (counts[2][digit (second[i] & 0xffffffffu, 2)]++, static_cast<int32_t> (key),
           static_cast<uint16_t> (second[i] >> 32));
    }
  }
};

struct Scratch {
  int32_t *columns; // [column][angle]
  uint64_t *sorted[2];

  Scratch (void *memory, int64_t angles)
      : columns (static_cast<int32_t *> (memory)),
        sorted{reinterpret_cast<uint64_t *> (columns + at_once * angles),
               reinterpret_cast<uint64_t *> (columns + at_once * angles) + angles}
  {
  }
};

void bridge (const Shape &shape, const float *group, const Bridge &over, int32_t *keys)
{
  for (int64_t a = 0; a < shape.angles; a++)
    keys[a] = key_of (over.across (group + a * shape.columns));
}

} // namespace

size_t sorting_scratch (int64_t angles)
{
  return static_cast<size_t> (angles) * (at_once * sizeof (int32_t) + 2 * sizeof (uint64_t));
}

void sort_columns (const Shape &shape, const float *group, std::span<const Bridge> bridges, int64_t begin, int64_t end,
                   void *scratch, int32_t *strips, uint16_t *order)
{
  const Scratch with (scratch, shape.angles);
  Sorter sorter{with.sorted[0], with.sorted[1], {}};
  for (auto first = begin; first < end; first += at_once) {
    const auto n = std::min (at_once, end - first);
    for (int64_t a = 0; a < shape.angles; a++)
      for (int64_t c = 0; c < n; c++)
        with.columns[c * shape.angles + a] = key_of (group[a * shape.columns + first + c]);
    for (int64_t c = 0; c < n; c++) {
      const auto column = first + c;
      auto *keys = with.columns + c * shape.angles;
      if (const auto over = bridges.empty () ? Bridge{} : bridges[static_cast<size_t> (column)]; !over.is_own ())
        bridge (shape, group, over, keys);
      auto *angle_of = order + column * shape.angles;
      const auto whole = shape.angles / strip * strip, last = shape.angles - whole;
      sorter.sort (keys, shape.angles, [&] (int64_t rank, int32_t key, uint16_t angle) {
        const auto width = rank < whole ? strip : last;
        strips[rank / strip * strip * shape.columns + column * width + rank % strip] = key;
        angle_of[rank] = angle;
      });
    }
  }
}

void restore_columns (const Shape &shape, const int32_t *strips, const uint16_t *order, int64_t begin, int64_t end,
                      void *scratch, float *group)
{
  auto *columns = reinterpret_cast<float *> (Scratch (scratch, shape.angles).columns);
  for (auto first = begin; first < end; first += at_once) {
    const auto n = std::min (at_once, end - first);
    for (int64_t s = 0; s < shape.strips (); s++)
      for (int64_t c = 0; c < n; c++) {
        const auto *keys = strips + shape.place (s, first + c);
        const auto at = s * strip;
        for (int64_t r = 0; r < shape.width (s); r++)
          columns[c * shape.angles + order[(first + c) * shape.angles + at + r]] = value_of (keys[r]);
      }
    for (int64_t a = 0; a < shape.angles; a++)
      for (int64_t c = 0; c < n; c++)
        group[a * shape.columns + first + c] = columns[c * shape.angles + a];
  }
}

} // namespace sino::remove_stripes
