// SPDX-License-Identifier: LGPL-3.0-or-later
#ifndef HWY_DISABLED_TARGETS // set by builds for a few instruction sets; vectors without a fixed size have no arrays
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/remove-stripes/ranks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/remove-stripes/keys-inl.hpp"
#include "kernels/remove-stripes/ranks.hpp"
#include "kernels/remove-stripes/sort-inl.hpp"
#include "kernels/remove-stripes/transpose-inl.hpp"
#include "kernels/vectors-inl.hpp"
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE ();
namespace sino::remove_stripes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t at_once = 32; // columns: a piece of a row is two cache lines

using Numbers = Columns<double>;

// A key and its angle as a number from 2^52 to 2^53, which orders them alike.
constexpr int angle_bits = 16;
constexpr uint64_t exponent = 0x4330000000000000u;

uint64_t number_of (float value, int64_t angle)
{
  return exponent | static_cast<uint64_t> (static_cast<uint32_t> (key_of (value)) ^ 0x80000000u) << angle_bits |
         static_cast<uint64_t> (angle);
}

// Distance of columns to restore, which are in different sets of a cache for any number of angles.
int64_t pitch_of (int64_t angles)
{
  return (divide_up (angles, 16) | 1) * 16;
}

struct Scratch {
  double *rows;   // of Numbers
  float *columns; // [angle][column] of columns to sort, [column][angle] of those to restore

  Scratch (void *memory, int64_t angles)
      : rows (static_cast<double *> (memory)),
        columns (reinterpret_cast<float *> (rows + rows_of (angles) * Numbers::lanes))
  {
  }
};

size_t sorting_bytes (int64_t angles)
{
  return static_cast<size_t> (rows_of (angles) * Numbers::lanes) * sizeof (double) +
         static_cast<size_t> (at_once * pitch_of (angles)) * sizeof (float);
}

// Fills the lanes with the columns at `from`, [angle][at_once].
void fill_lanes (int64_t angles, const float *from, double *rows)
{
  constexpr auto lanes = Numbers::lanes;
  const hn::Rebind<uint64_t, Numbers::D> d;
  const hn::Rebind<int32_t, Numbers::D> half;
  const hn::Rebind<uint32_t, Numbers::D> unsigned_half;
  auto *to = reinterpret_cast<uint64_t *> (rows);
  for (int64_t a = 0; a < angles; a++) {
    const auto bits = hn::BitCast (half, hn::LoadU (hn::Rebind<float, Numbers::D> (), from + a * at_once));
    const auto key =
        hn::Xor (bits, hn::Or (hn::ShiftRight<31> (bits), hn::Set (half, std::numeric_limits<int32_t>::min ())));
    const auto upper = hn::ShiftLeft<angle_bits> (hn::PromoteTo (d, hn::BitCast (unsigned_half, key)));
    hn::StoreU (hn::Or (upper, hn::Set (d, exponent | static_cast<uint64_t> (a))), d, to + a * lanes);
  }
  std::fill (rows + angles * lanes, rows + rows_of (angles) * lanes, std::numeric_limits<double>::infinity ());
}

void sort (const Shape &shape, const float *group, std::span<const Bridge> bridges, int64_t begin, int64_t end,
           void *scratch, int32_t *strips, uint16_t *order)
{
  constexpr auto lanes = Numbers::lanes;
  const Scratch with (scratch, shape.angles);
  const auto *numbers = reinterpret_cast<const uint64_t *> (with.rows);
  for (auto first = begin; first < end; first += at_once) {
    const auto n = std::min (at_once, end - first);
    for (int64_t a = 0; a < shape.angles; a++)
      std::copy_n (group + a * shape.columns + first, n, with.columns + a * at_once);
    for (int64_t c = 0; c < n; c += lanes) {
      fill_lanes (shape.angles, with.columns + c, with.rows);
      const auto used = std::min (lanes, n - c), column = first + c;
      for (int64_t lane = 0; lane < used; lane++)
        if (const auto over = bridges.empty () ? Bridge{} : bridges[static_cast<size_t> (column + lane)];
            !over.is_own ())
          for (int64_t a = 0; a < shape.angles; a++)
            with.rows[a * lanes + lane] =
                std::bit_cast<double> (number_of (over.across (group + a * shape.columns), a));
      Numbers (with.rows, rows_of (shape.angles)).sort ();
      for (int64_t s = 0; s < shape.strips (); s++)
        for (int64_t lane = 0; lane < used; lane++) {
          auto *keys = strips + shape.place (s, column + lane);
          auto *angle_of = order + (column + lane) * shape.angles + s * strip;
          const auto *from = numbers + s * strip * lanes + lane;
          for (int64_t r = 0; r < shape.width (s); r++) {
            keys[r] = static_cast<int32_t> (static_cast<uint32_t> (from[r * lanes] >> angle_bits) ^ 0x80000000u);
            angle_of[r] = static_cast<uint16_t> (from[r * lanes]);
          }
        }
    }
  }
}

// Values of up to a strip of keys.
HWY_INLINE void write_values (const int32_t *keys, int64_t n, float *values)
{
  kernels::HWY_NAMESPACE::over<int32_t> (n, [&] (auto d, int64_t i) HWY_ATTR {
    hn::StoreU (values_of (d, hn::LoadU (d, keys + i)), hn::Rebind<float, decltype (d)> (), values + i);
  });
}

void restore (const Shape &shape, const int32_t *strips, const uint16_t *order, int64_t begin, int64_t end,
              void *scratch, float *group)
{
  auto *const columns = Scratch (scratch, shape.angles).columns;
  const auto pitch = pitch_of (shape.angles);
  for (auto first = begin; first < end; first += at_once) {
    const auto n = std::min (at_once, end - first);
    for (auto column = first; column < first + n; column++) {
      auto *const to = columns + (column - first) * pitch;
      for (int64_t s = 0; s < shape.strips (); s++) {
        const auto *angle_of = order + column * shape.angles + s * strip;
        float values[strip];
        write_values (strips + shape.place (s, column), shape.width (s), values);
        for (int64_t r = 0; r < shape.width (s); r++)
          to[angle_of[r]] = values[r];
      }
    }
    transpose (columns, pitch, n, shape.angles, group + first, shape.columns);
  }
}

} // namespace sino::remove_stripes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();

#if HWY_ONCE
namespace sino::remove_stripes {

HWY_EXPORT (sorting_bytes);
HWY_EXPORT (sort);
HWY_EXPORT (restore);

size_t sorting_scratch (int64_t angles)
{
  return HWY_DYNAMIC_DISPATCH (sorting_bytes) (angles);
}

void sort_columns (const Shape &shape, const float *group, std::span<const Bridge> bridges, int64_t begin, int64_t end,
                   void *scratch, int32_t *strips, uint16_t *order)
{
  HWY_DYNAMIC_DISPATCH (sort) (shape, group, bridges, begin, end, scratch, strips, order);
}

void restore_columns (const Shape &shape, const int32_t *strips, const uint16_t *order, int64_t begin, int64_t end,
                      void *scratch, float *group)
{
  HWY_DYNAMIC_DISPATCH (restore) (shape, strips, order, begin, end, scratch, group);
}

} // namespace sino::remove_stripes
#endif
