// SPDX-License-Identifier: LGPL-3.0-or-later
// Speed of the filters that pass projections on: rows per second, and the bytes that they read and write per second,
// next to a plain copy of as many bytes.
//   bench-filters [COLUMNS] [ROWS] [ANGLES] [RUNS] [NODE]
// NODE: of this one only.
#include "run/task-harness.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

using namespace sino;
using namespace sino::test;

namespace {

struct Ones final : Frames {
  void read (Interval some, Interval wanted, void *pixels, const Watch &) const override
  {
    std::fill_n (static_cast<uint16_t *> (pixels), some.size () * wanted.size () * columns, uint16_t{60000});
  }
};

double best_seconds (int runs, const std::function<void ()> &body)
{
  double best = 1e9;
  for (int i = 0; i < runs; i++) {
    const auto start = std::chrono::steady_clock::now ();
    body ();
    best = std::min (best, std::chrono::duration<double> (std::chrono::steady_clock::now () - start).count ());
  }
  return best;
}

void fill_with_noise (Block &block)
{
  uint32_t state = 1;
  for (int64_t i = 0; i < block.values (); i++)
    block.as<float> ()[i] = static_cast<float> ((state = state * 1664525 + 1013904223) >> 8) / (1 << 24);
}

std::string_view only;

void bench (const char *name, const std::vector<std::pair<std::string, std::string>> &properties, const Format &format,
            int lanes, int runs)
{
  if (!only.empty () && only != name)
    return;
  const auto task = make_task (name, properties);
  std::vector<std::shared_ptr<const Format>> formats (task->inputs ().size ());
  formats[0] = std::make_shared<const Format> (format);
  const int in_lanes = format.kind () == Kind::sinograms ? lanes : 1;
  printf ("%-14s %-4s %2d lanes", name, name_of (format.element), lanes);
  for (const int threads : {1, 2}) {
    TaskHarness alone (*task, formats, {nullptr, threads, in_lanes, lanes});
    std::vector<std::vector<Block>> from (formats.size ());
    from[0] = alone.input_blocks (0, {0, format.rows ()}, 16);
    for (auto &block : from[0])
      if (format.element == Element::u16)
        std::fill_n (block.as<uint16_t> (), block.values (), uint16_t{30000});
      else
        fill_with_noise (block);
    const auto to = alone.output_blocks ({0, format.rows ()}, 16);
    const auto seconds = best_seconds (runs, [&] { alone.run (from, to); });
    const auto rows = static_cast<double> (format.rows () * format.angles ());
    printf ("  %d thread%s %7.0f k rows/s %6.2f GB/s", threads, threads > 1 ? "s" : " ", rows / seconds / 1e3,
            (format.bytes () + alone.format ()->bytes ()) / seconds / 1e9);
  }
  printf ("\n");
}

} // namespace

int main (int argc, char **argv)
{
  const auto number = [&] (int i, int otherwise) { return argc > i ? atoi (argv[i]) : otherwise; };
  const int columns = number (1, 2048), rows = number (2, 32), angles = number (3, 512), runs = number (4, 5);
  only = argc > 5 ? argv[5] : "";
  const Dim angle{Axis::angle, angles}, row{Axis::row, rows}, column{Axis::column, columns};

  const auto bytes = static_cast<size_t> (columns) * static_cast<size_t> (rows * angles) * 4;
  const std::vector<std::byte> from (bytes, std::byte{1});
  std::vector<std::byte> to (bytes);
  const auto seconds = best_seconds (runs, [&] { std::memcpy (to.data (), from.data (), bytes); });
  printf ("%-28s  1 thread  %24.2f GB/s\n", "copy", 2 * static_cast<double> (bytes) / seconds / 1e9);

  for (const auto element : {Element::u16, Element::f32})
    for (const int lanes : {1, 4, 16, 32})
      bench ("interleave", {}, projections (element, angle, row, column), lanes, runs);
  auto counts = projections (Element::u16, angle, row, column);
  const auto flats = std::make_shared<Ones> ();
  flats->element = Element::u16;
  flats->count = 1;
  flats->rows = rows;
  flats->columns = columns;
  counts.companions.flats = flats;
  bench ("flat-field", {}, counts, 1, runs);
  bench ("flat-field", {{"absorption", "false"}}, counts, 1, runs);
  counts.axes = {row, angle, column};
  bench ("flat-field", {}, counts, 16, runs);
  bench ("half-pack", {}, projections (Element::f32, angle, row, column), 1, runs);
  bench ("ramp-filter", {}, projections (Element::f32, angle, row, column), 1, runs);
  bench ("ramp-filter", {}, sinograms (Element::f32, row, angle, column), 16, runs);
  for (const char *method : {"offset", "sorting", "large", "dead", "all"}) {
    bench ("remove-stripes", {{"method", method}}, sinograms (Element::f32, row, angle, column), 8, runs);
  }
  bench ("retrieve-phase", {{"energy", "20"}, {"distance", "0.1"}, {"pixel-size", "1e-6"}, {"delta-beta", "1000"}},
         projections (Element::f32, {Axis::angle, 8}, {Axis::row, columns}, column), 1, runs);

  // One by one, and those around each.
  const auto values = projections (Element::f32, angle, row, column),
             sinogram = sinograms (Element::f32, row, angle, column),
             images = projections (Element::f32, {Axis::angle, 8}, {Axis::row, columns / 2}, column);
  bench ("minus-log", {}, values, 1, runs);
  bench ("rescale", {{"min", "0.2"}, {"max", "0.8"}}, values, 1, runs);
  bench ("rescale", {{"min", "0.2"}, {"max", "0.8"}, {"type", "u16"}}, values, 1, runs);
  bench ("percentiles", {}, values, 1, runs);
  bench ("calculate", {{"expression", "x * 2 + 1"}}, values, 1, runs);
  bench ("calculate", {{"expression", "-log(x) * 2 + x^2"}}, sinogram, 16, runs);
  for (const char *size : {"3", "5"}) {
    bench ("median", {{"size", size}}, images, 1, runs);
    bench ("remove-outliers", {{"size", size}, {"threshold", "0.5"}}, images, 1, runs);
  }
  for (const char *sigma : {"1", "3"})
    bench ("unsharp", {{"sigma", sigma}}, images, 1, runs);
}
