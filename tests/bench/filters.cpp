// SPDX-License-Identifier: LGPL-3.0-or-later
// Speed of the filters by themselves: lines per second, and the bytes that they read and write per second, next to a
// plain copy of as many bytes.
//   bench-filters [COLUMNS] [ROWS] [ANGLES] [RUNS] [NAME]
// NAME: of this one only, "median" or "median size=3".
//   bench-filters COLUMNS ROWS ANGLES 0 NAME
// runs a filter once for each line of standard input, in two threads, and prints its seconds and those of the copy: to
// be compared with another program that works in turns. First it prints how many lines of pixels a run takes and gives.
#include "base/files/temporary-folder.hpp"
#include "run/task-harness.hpp"
#include "tests/bench/filter-cases.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <numbers>
#include <optional>
#include <thread>

using namespace sino;
using namespace sino::test;

namespace {

double seconds_of (const std::function<void ()> &body)
{
  const auto start = std::chrono::steady_clock::now ();
  body ();
  return std::chrono::duration<double> (std::chrono::steady_clock::now () - start).count ();
}

double best_seconds (int runs, const std::function<void ()> &body)
{
  double best = 1e9;
  for (int i = 0; i < runs; i++)
    best = std::min (best, seconds_of (body));
  return best;
}

// What memory allows: half of the bytes are read, half are written, in as many threads.
class Copy
{
public:
  explicit Copy (double both) : from (static_cast<size_t> (both / 2), std::byte{1}), to (from.size ()) {}

  void run (int threads)
  {
    std::vector<std::thread> others;
    const auto part = from.size () / static_cast<size_t> (threads);
    for (int i = 1; i < threads; i++)
      others.emplace_back ([this, part, i] { copy (static_cast<size_t> (i) * part, part); });
    copy (0, part);
    for (auto &other : others)
      other.join ();
  }

private:
  const std::vector<std::byte> from;
  std::vector<std::byte> to;

  void copy (size_t at, size_t bytes) { std::memcpy (to.data () + at, from.data () + at, bytes); }
};

// Transmission of a body that turns, with noise of 1 %, so that filters that sort and look for outliers find what they
// do in a scan.
void fill (Block &block)
{
  uint32_t state = 1;
  const int64_t lanes = block.lanes (), columns = block.line ();
  for (int64_t i = 0; i < block.values (); i++) {
    const auto line = i / (lanes * columns), column = i / lanes % columns;
    const auto turn = static_cast<double> (line) * std::numbers::pi / 1800;
    const auto at = (static_cast<double> (column) / static_cast<double> (columns) - 0.5 - 0.1 * std::cos (turn)) / 0.3;
    const auto noise = static_cast<double> ((state = state * 1664525 + 1013904223) >> 8) / (1 << 24) - 0.5;
    const auto value = 1 - 0.6 * std::sqrt (std::max (0.0, 1 - at * at)) + 0.03 * noise;
    if (block.format ().element == Element::u16)
      block.as<uint16_t> ()[i] = static_cast<uint16_t> (50000 * value);
    else
      block.as<float> ()[i] = static_cast<float> (value);
  }
}

// A filter with all its input, and place for its output.
class Alone
{
public:
  Alone (const FilterCase &what, int threads)
      : task (make_task (what.node, what.properties)), formats (task->inputs ().size ())
  {
    for (size_t i = 0; i < what.inputs.size (); i++) {
      formats[i] = std::make_shared<const Format> (what.inputs[i]);
      bytes += formats[i]->bytes ();
    }
    harness.emplace (*task, formats, TaskHarness::Conditions{nullptr, threads, what.lanes, std::max (what.lanes, 1)});
    const auto &out = *harness->format ();
    bytes += out.bytes ();
    const Rows all{0, out.has (Axis::row) || out.has (Axis::z) ? out.rows () : 1};
    from.resize (formats.size ());
    for (size_t i = 0; i < what.inputs.size (); i++) {
      from[i] = harness->input_blocks (i, all, 16);
      for (auto &block : from[i])
        fill (block);
    }
    to = harness->output_blocks (all, 16);
  }

  void run () { harness->run (from, to); }
  double moved () const { return bytes; } // bytes that are read and written
  double lines_in () const { return lines_of (*formats[0]); }
  double lines_out () const { return lines_of (*harness->format ()); }

private:
  const std::unique_ptr<Task> task;
  std::vector<std::shared_ptr<const Format>> formats;
  std::optional<TaskHarness> harness;
  std::vector<std::vector<Block>> from;
  std::vector<Block> to;
  double bytes = 0;

  static double lines_of (const Format &format) { return static_cast<double> (format.rows () * format.angles ()); }
};

void bench (const FilterCase &what, int runs)
{
  printf ("%-38s", what.name.c_str ());
  for (const int threads : {1, 2}) {
    Alone alone (what, threads);
    const auto seconds = best_seconds (runs, [&] { alone.run (); });
    printf ("  %d thread%s %7.0f k lines/s %6.2f GB/s", threads, threads > 1 ? "s" : " ",
            alone.lines_in () / seconds / 1e3, alone.moved () / seconds / 1e9);
  }
  printf ("\n");
  fflush (stdout);
}

void run_when_asked (const FilterCase &what)
{
  constexpr int threads = 2;
  Alone alone (what, threads);
  Copy copy (alone.moved ());
  alone.run ();
  copy.run (threads);
  printf ("%.0f %.0f\n", alone.lines_in (), alone.lines_out ());
  fflush (stdout);
  for (std::string line; std::getline (std::cin, line);) {
    const auto seconds = seconds_of ([&] { alone.run (); });
    printf ("%.6f %.6f\n", seconds, seconds_of ([&] { copy.run (threads); }));
    fflush (stdout);
  }
}

} // namespace

int main (int argc, char **argv)
{
  const auto number = [&] (int i, int otherwise) { return argc > i ? atoi (argv[i]) : otherwise; };
  const int columns = number (1, 2048), rows = number (2, 32), angles = number (3, 512), runs = number (4, 5);
  const std::string only = argc > 5 ? argv[5] : "";
  const TemporaryFolder folder (g_get_tmp_dir ());

  if (runs > 0) {
    const double bytes = 8.0 * columns * rows * angles;
    Copy copy (bytes);
    printf ("%-38s", "copy");
    for (const int threads : {1, 2})
      printf ("  %d thread%s %15s  %6.2f GB/s", threads, threads > 1 ? "s" : " ", "",
              bytes / best_seconds (runs, [&] { copy.run (threads); }) / 1e9);
    printf ("\n");
  }
  for (const auto &one : filter_cases (columns, rows, angles, folder.path ()))
    if (only.empty () || only == one.name || (runs > 0 && only == one.node)) {
      if (runs > 0)
        bench (one, runs);
      else
        run_when_asked (one);
    }
}
