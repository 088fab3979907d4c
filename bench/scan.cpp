// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/scan.hpp"
#include "base/error.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include "run/memory.hpp"
#include "run/task-harness.hpp"
#include <algorithm>
#include <cmath>

namespace sino::bench {

std::unique_ptr<Task> make_task (const std::string &type, const Properties &properties)
{
  Graph graph;
  const auto &node = graph.nodes ()[graph.add (type)];
  for (const auto &[name, word] : properties)
    set_property (node, name, word);
  return snapshot (node.task.get ());
}

std::string number (int64_t n)
{
  return text ("%" G_GINT64_FORMAT, n);
}

std::string exact_number (double x)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_dtostr (digits, sizeof digits, x);
}

namespace {

// Passes whole projections of a few rows through some nodes.
std::vector<Block> few_rows (const BenchOptions &options, int64_t rows, const std::vector<std::string> &nodes,
                             const char *element = "f32")
{
  std::vector<Block> blocks;
  const auto pass = [&] (const std::string &type, const Properties &properties) {
    const auto task = make_task (type, properties);
    const auto format = blocks.empty () ? nullptr : blocks[0].format_pointer ();
    TaskHarness alone (*task, at_first_port (*task, format), {.threads = options.threads});
    const auto from = at_first_port (*task, std::move (blocks));
    blocks = alone.output_blocks ({0, rows}, batch);
    alone.run (from, blocks);
  };
  pass ("simulate", {{"width", number (options.size)},
                     {"height", number (rows)},
                     {"projections", number (options.projections)},
                     {"photons", photons},
                     {"flats", flats},
                     {"type", element}});
  for (const auto &node : nodes)
    pass (node, {});
  return blocks;
}

} // namespace

float Scan::value (int64_t angle, int64_t row, int64_t column) const
{
  const auto &block = blocks[static_cast<size_t> (angle / batch)];
  return block.as<float> ()[block.offset (angle % batch, row) + column];
}

Scan simulated_scan (const BenchOptions &options, bool filtered)
{
  const auto rows = std::min<int64_t> (options.slices, 5);
  const auto few = few_rows (options, rows,
                             filtered ? std::vector<std::string>{"flat-field", "ramp-filter"}
                                      : std::vector<std::string>{"flat-field"});
  Format format = few[0].format ();
  format.dim (Axis::row).extent = options.slices;
  format.values = Meaning::open; // accepted by all kinds of nodes
  Scan scan{std::make_shared<const Format> (format), {}};
  for (const auto &block : few) {
    scan.blocks.push_back (make_block (scan.format, {}, {scan.rows (), block.angles ()}));
    auto &whole = scan.blocks.back ();
    for (int64_t angle = 0; angle < block.angles ().size (); angle++)
      for (int64_t row = 0; row < options.slices; row++)
        std::copy_n (block.as<float> () + block.offset (angle, row % rows), block.line (),
                     whole.as<float> () + whole.offset (angle, row));
  }
  return scan;
}

Scan simulated_counts (const BenchOptions &options)
{
  auto blocks = few_rows (options, options.slices, {}, "u16");
  auto format = blocks[0].format_pointer ();
  return {std::move (format), std::move (blocks)};
}

void require_memory (const BenchOptions &options, double more, const char *fewer)
{
  const double scan = 4.0 * static_cast<double> (options.size * options.projections * options.slices);
  const double needed = scan + more, free = available_memory ();
  if (needed > free)
    fail (SINO_ERROR_MEMORY, "%" G_GINT64_FORMAT " slices need %s of memory, but %s are free: give %s", options.slices,
          bytes_text (needed).c_str (), bytes_text (free).c_str (), fewer);
}

void require_cone_memory (const BenchOptions &options, double bytes)
{
  const double free = available_memory ();
  if (bytes > free)
    fail (SINO_ERROR_MEMORY,
          "%" G_GINT64_FORMAT "^3 voxels from %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT
          "^2 pixels need %s of memory, but %s are free: give a smaller --size, --detector or --projections",
          options.size, options.projections, options.detector, bytes_text (bytes).c_str (), bytes_text (free).c_str ());
}

Scan volume_scan (const BenchOptions &options)
{
  Format format = slices (Element::f32, {Axis::z, options.slices}, {Axis::y, options.size}, {Axis::x, options.size});
  format.geometry = std::make_shared<const Geometry> ();
  Scan out{std::make_shared<const Format> (std::move (format)), {}};
  for (int64_t slice = 0; slice < options.slices; slice++) { // one in a block, as in the output of a TaskHarness
    auto block = make_block (out.format, {}, {{slice, slice + 1}, {0, 1}});
    for (int64_t i = 0; i < block.values (); i++)
      block.as<float> ()[i] =
          static_cast<float> (2 + std::sin (0.1 * static_cast<double> (i % options.size)) +
                              std::cos (0.13 * static_cast<double> (slice * options.size + i / options.size)));
    out.blocks.push_back (std::move (block));
  }
  return out;
}

Scan packed (const Scan &scan, int threads)
{
  const auto task = make_task ("half-pack");
  TaskHarness alone (*task, {scan.format}, {.threads = threads});
  Scan out{alone.format (), alone.output_blocks (scan.rows (), batch)};
  alone.run ({scan.blocks}, out.blocks);
  return out;
}

} // namespace sino::bench
