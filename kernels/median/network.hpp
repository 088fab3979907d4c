// SPDX-License-Identifier: LGPL-3.0-or-later
// Comparator networks for the median of a window, built at compile time. A window of SIZE x SIZE slides along its line:
// columns are sorted once, neighbouring sorted columns are merged to runs of 2, 4 and 8 columns, and each window is
// merged from these, so that windows share work. Merges are Batcher's (D. E. Knuth, The Art of Computer Programming 3,
// 5.3.4), for runs of any two lengths.
//
// Two optimisations make networks small. A value of a sorted run that has more than half of the window on one side
// cannot be the median and is left out. Comparators whose results are not needed are removed.
#pragma once
#include "kernels/constants.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sino::median {

// Moves the smaller value to wire `low` and the larger one to `high`, if these are wanted.
struct Comparator {
  int16_t low, high;
  bool keeps_low, keeps_high;
};

// Input of a wire: a row of values, shifted by `shift` columns.
struct WindowRow {
  int16_t row, shift;
};

// Computes rows of values from rows of values, position by position along the line.
struct Step {
  int inputs = 0, comparators = 0, outputs = 0;
  int first_row = 0; // first row of the output; inputs of the first step are lines of the window
  int beyond = 0;    // columns after the line's end that later steps need
  bool unrolled = false;
  std::array<WindowRow, 225> input{};
  std::array<Comparator, 1280> comparator{};
  std::array<int16_t, 64> output{}; // wires
};

struct Program {
  int steps = 0, rows = 0; // rows: number of rows written; the last step writes the last one
  std::array<Step, 5> step{};
};

using Wires = std::vector<int16_t>;

constexpr size_t most_unrolled = 135; // comparators

// Collects comparators, then removes those that are not needed.
class Network
{
public:
  constexpr void compare (int16_t low, int16_t high) { list.push_back ({low, high, true, true}); }

  // Merges two sorted runs; returns the wires in order.
  constexpr Wires merge (const Wires &x, const Wires &y)
  {
    if (x.empty () || y.empty ())
      return x.empty () ? y : x;
    if (x.size () == 1 && y.size () == 1) {
      compare (x[0], y[0]);
      return {x[0], y[0]};
    }
    const auto v = merge (every_second (x, 0), every_second (y, 0)),
               w = merge (every_second (x, 1), every_second (y, 1));
    Wires all{v[0]};
    for (size_t i = 0; i < std::max (w.size (), v.size () - 1); i++) {
      if (i < w.size () && i + 1 < v.size ())
        compare (w[i], v[i + 1]);
      if (i < w.size ())
        all.push_back (w[i]);
      if (i + 1 < v.size ())
        all.push_back (v[i + 1]);
    }
    return all;
  }

  constexpr Wires sort (const Wires &wires)
  {
    if (wires.size () < 2)
      return wires;
    const auto half = wires.begin () + static_cast<int64_t> (wires.size () / 2);
    const auto x = sort (Wires (wires.begin (), half)), y = sort (Wires (half, wires.end ()));
    return merge (x, y);
  }

  // The wire of the value with `rank` values of both runs before it: the least of the larger values of all pairs that
  // have `rank` values before them.
  constexpr int16_t select (const Wires &x, const Wires &y, int rank)
  {
    Wires larger;
    const auto n = static_cast<int> (x.size ()), m = static_cast<int> (y.size ());
    for (int i = std::max (0, rank + 1 - m); i <= std::min (rank + 1, n); i++) {
      const int j = rank + 1 - i;
      if (i > 0 && j > 0) // each wire is in one pair
        compare (y[static_cast<size_t> (j - 1)], x[static_cast<size_t> (i - 1)]);
      larger.push_back (i > 0 ? x[static_cast<size_t> (i - 1)] : y[static_cast<size_t> (j - 1)]);
    }
    for (auto left = larger.size (); left > 1; left = (left + 1) / 2)
      for (size_t i = 0; i < left / 2; i++)
        compare (larger[i], larger[left - 1 - i]);
    return larger[0];
  }

  constexpr void write (Step &step, const Wires &outputs, int wires)
  {
    std::vector<char> needed (static_cast<size_t> (wires), 0); // vector<bool> fails at compile time in clang 16
    for (const auto wire : outputs) {
      step.output[static_cast<size_t> (step.outputs++)] = wire;
      needed[static_cast<size_t> (wire)] = 1;
    }
    std::vector<Comparator> kept;
    for (auto c = list.rbegin (); c != list.rend (); ++c) {
      const auto low = static_cast<size_t> (c->low), high = static_cast<size_t> (c->high);
      if (!needed[low] && !needed[high])
        continue;
      kept.push_back ({c->low, c->high, needed[low] != 0, needed[high] != 0});
      needed[low] = needed[high] = 1;
    }
    std::ranges::reverse (kept);
    step.unrolled = kept.size () <= most_unrolled;
    if (!step.unrolled)
      kept = by_depth (kept, static_cast<size_t> (wires));
    step.comparators = static_cast<int> (kept.size ());
    std::copy (kept.begin (), kept.end (), step.comparator.begin ());
  }

private:
  std::vector<Comparator> list;

  // Sorts comparators by depth, so that a loop reads values long after they were written.
  static constexpr std::vector<Comparator> by_depth (const std::vector<Comparator> &given, size_t wires)
  {
    std::vector<size_t> depths (wires, 0), own;
    for (const auto &c : given) {
      auto &low = depths[static_cast<size_t> (c.low)], &high = depths[static_cast<size_t> (c.high)];
      own.push_back (low = high = std::max (low, high) + 1);
    }
    std::vector<Comparator> sorted;
    for (size_t depth = 1; sorted.size () < given.size (); depth++)
      for (size_t i = 0; i < given.size (); i++)
        if (own[i] == depth)
          sorted.push_back (given[i]);
    return sorted;
  }

  static constexpr Wires every_second (const Wires &wires, size_t first)
  {
    Wires some;
    for (auto i = first; i < wires.size (); i += 2)
      some.push_back (wires[i]);
    return some;
  }
};

// Adds the inputs of a step: a sorted run in `length` rows, beginning with row `first_row`. Returns the wires.
constexpr Wires run_at (Step &step, int first_row, int length, int shift)
{
  Wires wires;
  for (int i = 0; i < length; i++) {
    wires.push_back (static_cast<int16_t> (step.inputs));
    step.input[static_cast<size_t> (step.inputs++)] = {static_cast<int16_t> (first_row + i),
                                                       static_cast<int16_t> (shift)};
  }
  return wires;
}

// The network for SIZE values below each other.
constexpr Program down (int size)
{
  Program program{.steps = 1, .rows = 1};
  auto &step = program.step[0];
  Network network;
  const auto sorted = network.sort (run_at (step, 0, size, 0));
  network.write (step, {sorted[static_cast<size_t> (size / 2)]}, size);
  return program;
}

// The network for SIZE columns of SIZE values.
constexpr Program around (int size)
{
  Program program;
  const auto next = [&] () -> Step & {
    auto &step = program.step[static_cast<size_t> (program.steps++)];
    step.first_row = program.rows;
    return step;
  };
  const auto write = [&] (Step &step, Network &network, const Wires &wires) {
    network.write (step, wires, step.inputs);
    program.rows += step.outputs;
  };
  std::array<int, 4> runs{}; // first rows of the runs of 1, 2, 4 and 8 columns
  {
    auto &step = next ();
    Network network;
    write (step, network, network.sort (run_at (step, 0, size, 0)));
  }
  size_t largest = 0;
  int columns = 1; // in the longest runs, which the last step merges
  for (; 4 * columns <= size; columns *= 2) {
    auto &step = next ();
    Network network;
    const int length = columns * size;
    const auto x = run_at (step, runs[largest], length, 0), y = run_at (step, runs[largest], length, columns);
    runs[++largest] = step.first_row;
    write (step, network, network.merge (x, y));
  }

  auto &step = next ();
  Network network;
  const int half = size * size / 2;
  const auto x = run_at (step, runs[largest], columns * size, 0),
             y = run_at (step, runs[largest], columns * size, columns);
  auto most = network.merge (x, y);
  const int dropped = std::max (0, static_cast<int> (most.size ()) - 1 - half);
  most = Wires (most.begin () + dropped, most.begin () + std::min (static_cast<int> (most.size ()), half + 1));
  Wires rest; // the short runs first
  std::vector<Wires> parts;
  int shift = 2 * columns;
  for (auto level = static_cast<int> (largest); level >= 0; level--)
    if (const int n = 1 << level; (size - 2 * columns) & n) {
      parts.push_back (run_at (step, runs[static_cast<size_t> (level)], n * size, shift));
      shift += n;
    }
  for (auto part = parts.rbegin (); part != parts.rend (); ++part)
    rest = network.merge (*part, rest);
  write (step, network, {network.select (most, rest, half - dropped)});

  for (auto &each : program.step)
    each.unrolled = each.unrolled && step.unrolled; // otherwise unrolling them gains little

  // Finds the number of columns beyond the line's end in which later steps read each step's rows.
  for (int s = program.steps - 1; s >= 0; s--)
    for (int later = s + 1; later < program.steps; later++) {
      auto &mine = program.step[static_cast<size_t> (s)];
      const auto &other = program.step[static_cast<size_t> (later)];
      for (int i = 0; i < other.inputs; i++)
        if (const auto &in = other.input[static_cast<size_t> (i)];
            in.row >= mine.first_row && in.row < mine.first_row + mine.outputs)
          mine.beyond = std::max (mine.beyond, in.shift + other.beyond);
    }
  return program;
}

template <int SIZE> inline constexpr Program down_of = down (SIZE);
template <int SIZE> inline constexpr Program around_of = around (SIZE);

// Calls f with the size as a constant.
template <class F> decltype (auto) with_size (int size, F f)
{
  return kernels::with_constant<3, 5, 7, 9, 11, 13, 15> (size, f);
}

// Lines are processed in parts, so that the rows stay in the first cache.
struct Part {
  int64_t values; // number of values of the line
  int64_t pitch;  // distance of rows: whole cache lines
};

constexpr int64_t vector_bytes = 256; // size of the largest vectors that exist
constexpr int looped_vectors = 4;     // number of vectors processed at a time

constexpr Part part_of (const Program &program, int64_t step, size_t key_size)
{
  // Bytes. The larger size is for loops, which process several vectors at once.
  const int64_t cache = program.step[0].unrolled ? 24 * 1024 : 128 * 1024;
  const auto size = static_cast<int64_t> (key_size), vector = vector_bytes / size;
  const auto beyond = program.step[0].beyond * step;
  const auto values = std::max ({cache / (program.rows * size), 2 * beyond, vector}) / vector * vector;
  return {values, (values + beyond + (looped_vectors + 1) * vector - 1) / vector * vector};
}

} // namespace sino::median
