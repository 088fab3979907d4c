// SPDX-License-Identifier: LGPL-3.0-or-later
#define HWY_WANT_AVX3_DL 1 // multiplies and adds pairs of 16 bits at once
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cone-back-project/native/tile.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cone-back-project/native/int16-inl.hpp"
#include "kernels/cone-back-project/native/lattice-inl.hpp"
#include "kernels/cone-back-project/native/single-inl.hpp"
#include "kernels/cone-back-project/native/tile.hpp"
#include <algorithm>
#include <cmath>
#include <type_traits>

#if HWY_TARGET & SINO_SETS // the instruction sets of this object file
HWY_BEFORE_NAMESPACE ();
namespace sino::cone_back_project::HWY_NAMESPACE {

// Positions of sums: columns of voxels, or nodes between them.
struct Point {
  float x, y; // columns and lines from the tile's first
  int place;  // index of the sums, in whole columns
};

// Returns the columns of a tile in the order of small squares, so that consecutive columns are close on the detector.
std::vector<Point> columns_of (const Tile &tile, bool along_x)
{
  constexpr int square = 4;
  const int squares = tile.side / square; // per line
  std::vector<Point> points;
  for (int number = 0; number < tile.side * tile.side; number++) {
    const int inside = number % (square * square), whole = number / (square * square);
    const int y = inside / square, x = y % 2 ? square - 1 - inside % square : inside % square;
    const int a = whole % squares * square + x, b = whole / squares * square + y;
    const int dx = along_x ? a : b, dy = along_x ? b : a;
    if (dx < tile.columns && dy < tile.lines)
      points.push_back ({static_cast<float> (dx), static_cast<float> (dy), dy * tile.side + dx});
  }
  return points;
}

// Returns the nodes, ordered along the rays first.
std::vector<Point> nodes_of (const Lattice &lattice)
{
  std::vector<Point> points;
  const int last = *std::max_element (lattice.end, lattice.end + lattice.rows);
  for (int j = 0; j < last; j++)
    for (int k = 0; k < lattice.rows; k++)
      if (j >= lattice.begin[k] && j < lattice.end[k]) {
        const auto at = [&] (int axis) {
          return lattice.origin[axis] + static_cast<float> (j) * lattice.across[axis] +
                 static_cast<float> (k) * lattice.along[axis];
        };
        points.push_back ({at (0), at (1), lattice.number (j, k)});
      }
  return points;
}

// Prefetches the next batch: some detector columns with each of `points`.
template <class Bin>
HWY_INLINE void fetch (const Sight &next, const Bin *views, size_t view, size_t number, size_t points)
{
  const auto steps = static_cast<int> (std::max<size_t> (points / batch_size, 1)); // per view
  const int i = static_cast<int> (number) / steps;
  if (i >= batch_size)
    return;
  const auto *from = views + static_cast<size_t> (i) * view + next.place[i];
  for (int column = static_cast<int> (number) % steps; column < next.columns[i]; column += steps)
    for (int row = 0; row < next.rows[i]; row += 64 / static_cast<int> (sizeof (Bin)))
      __builtin_prefetch (from + column * next.stride + row, 0, 2);
}

// Views of a batch that are added together: those with units in (most / 8, most]. Integers represent the weight of a
// view, including its unit, as a fraction of the heaviest weight.
struct Turn {
  int batch;
  float most;

  bool has (float unit) const { return unit <= most && unit > most / 8; }
};

HWY_INLINE std::vector<Turn> turns_of (const Views &views)
{
  std::vector<Turn> turns;
  for (int batch = 0; batch < views.count; batch += batch_size) {
    const auto begin = views.units.begin () + batch, end = begin + std::min (batch_size, views.count - batch);
    for (float limit = HUGE_VALF; limit > 0;) {
      float most = 0;
      for (auto unit = begin; unit < end; unit++)
        if (*unit <= limit)
          most = std::max (most, *unit);
      if (most > 0)
        turns.push_back ({batch, most});
      limit = most / 8;
    }
  }
  return turns;
}

// `points`: lists in the order for rays along y, and for rays along x.
template <class Kernel, int Parts>
void add_parts (const Job &job, const Tile &tile, int first_part, const Views &views,
                std::span<const Point> const (&points)[2], float *sums, typename Kernel::Bin *lines)
{
  const auto &packing = views.packing;
  const auto *bins = reinterpret_cast<const typename Kernel::Bin *> (views.bins);
  const auto look = [&] (const Turn &turn) {
    const int count = std::min (batch_size, views.count - turn.batch);
    float weights[batch_size];
    for (int i = 0; i < count; i++) {
      // index of the view in the group
      const auto number = static_cast<size_t> (turn.batch) + static_cast<size_t> (i);
      const auto unit = views.units[number];
      const auto &projection = job.projections[static_cast<size_t> (views.first) + number];
      weights[i] = turn.has (unit) ? static_cast<float> (projection.weight) * unit : 0;
    }
    return sight_of (job, packing, tile, views.first + turn.batch, count, weights, Kernel::block);
  };
  Meeting<Parts> meeting;
  const auto turns = turns_of (views);
  Sight next;
  if (!turns.empty ())
    next = look (turns[0]);
  for (size_t n = 0; n < turns.size (); n++) {
    const int batch = turns[n].batch;
    const auto sight = next;
    const bool last = n + 1 == turns.size ();
    const bool more = !last && turns[n + 1].batch == batch + batch_size && views.count - batch >= 2 * batch_size;
    if (!last)
      next = look (turns[n + 1]);
    const auto *from = bins + static_cast<size_t> (batch) * packing.view;
    const int count = std::min (batch_size, views.count - batch);
    // Consecutive columns along the rays need nearly the same values.
    const bool along_x = std::abs (sight.u[1][0]) < std::abs (sight.u[2][0]);
    const auto some = points[along_x];
    const auto with_windows_at = [&] (auto align) HWY_ATTR {
      for (size_t number = 0; number < some.size (); number++) {
        if (more)
          fetch (next, from + batch_size * packing.view, packing.view, number, some.size ());
        const auto &point = some[number];
        auto *column = sums + point.place * slab_size + first_part * part;
        for (int k = 0; k < Parts; k++)
          __builtin_prefetch (column + k * part, 1);
        meet<Parts, Kernel::block, align> (sight, point.x, point.y, first_part, Kernel::sharpness (sight), meeting);
        Kernel::template add<Parts, align> (from, packing.view, count, sight, meeting, lines, column);
      }
    };
    // With this alignment fewer windows span two cache lines.
    if (sight.steepest * (part - 1) + 8 < 30.9F)
      with_windows_at (std::integral_constant<int, 8> ());
    else
      with_windows_at (std::integral_constant<int, 1> ());
  }
}

// Memory of a kernel call.
template <class Kernel> struct Memory {
  float *sums;
  typename Kernel::Bin *lines;
  float *nodes; // with grouped views

  Memory (std::byte *memory, Manner manner);
};

size_t sums_size (int side)
{
  return sizeof (float) * static_cast<size_t> (side * side * slab_size);
}

size_t line_size ()
{
  return batch_size * std::max (sizeof (float) * Single::wide_room, sizeof (int16_t) * Int16::wide_room);
}

template <class Kernel>
Memory<Kernel>::Memory (std::byte *memory, Manner manner)
    : sums (reinterpret_cast<float *> (memory)),
      lines (reinterpret_cast<typename Kernel::Bin *> (memory + sums_size (side_of (manner)))),
      nodes (reinterpret_cast<float *> (memory + sums_size (side_of (manner)) + line_size ()))
{
}

// Adds batches one by one, with a lattice if it pays.
template <class Kernel, int Parts>
void add_grouped (const Job &job, const Tile &tile, int first_part, const Views &views,
                  std::span<const Point> const (&points)[2], const Memory<Kernel> &memory)
{
  for (int batch = 0; batch < views.count; batch += batch_size) {
    const auto some = views.part (batch, std::min (batch_size, views.count - batch));
    const auto lattice = lattice_of (job, tile, some.first, some.count);
    if (!lattice) {
      add_parts<Kernel, Parts> (job, tile, first_part, some, points, memory.sums, memory.lines);
      continue;
    }
    for (int node = 0; node < lattice->nodes; node++)
      std::fill_n (memory.nodes + node * slab_size + first_part * part, Parts * part, 0.0F);
    const auto nodes = nodes_of (*lattice);
    add_parts<Kernel, Parts> (job, lattice->around, first_part, some, {nodes, nodes}, memory.nodes, memory.lines);
    spread_nodes<Parts * part> (*lattice, tile, memory.nodes + first_part * part, memory.sums + first_part * part);
  }
}

template <class Kernel>
void add_slices (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *bytes)
{
  const auto manner = views.packing.manner;
  const Memory<Kernel> memory (bytes, manner);
  const int begin = static_cast<int> (slices.begin / part), end = static_cast<int> ((slices.end + part - 1) / part);
  for (int column = 0; column < tile.side * tile.side; column++)
    std::fill (memory.sums + column * slab_size + begin * part, memory.sums + column * slab_size + end * part, 0.0F);
  const auto columns = columns_of (tile, false), columns_along_x = columns_of (tile, true);
  const std::span<const Point> points[]{columns, columns_along_x};
  const auto add = [&] (auto parts, int k) {
    if (manner.grouped)
      add_grouped<Kernel, parts> (job, tile, k, views, points, memory);
    else
      add_parts<Kernel, parts> (job, tile, k, views, points, memory.sums, memory.lines);
    return parts;
  };
  for (int k = begin; k < end;)
    if (k == 0 && end == slab_size / part)
      k += add (std::integral_constant<int, 8> (), k);
    else if (k + 4 <= end)
      k += add (std::integral_constant<int, 4> (), k);
    else
      k += add (std::integral_constant<int, 1> (), k);
}

void add_tile (const Job &job, const Tile &tile, Interval slices, const Views &views, std::byte *memory)
{
  if (views.packing.manner.precision == Precision::single)
    add_slices<Single> (job, tile, slices, views, memory);
  else
    add_slices<Int16> (job, tile, slices, views, memory);
}

size_t memory_for (Manner manner)
{
  const auto side = side_of (manner);
  const auto nodes = manner.grouped ? static_cast<size_t> (Lattice::most_nodes * side * side) : 0;
  return sums_size (side) + line_size () + nodes * slab_size * sizeof (float);
}

} // namespace sino::cone_back_project::HWY_NAMESPACE
HWY_AFTER_NAMESPACE ();
#endif
