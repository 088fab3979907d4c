// SPDX-License-Identifier: LGPL-3.0-or-later
// Back-projection of a cone-beam scan in memory, a circle or a helix, into a cube.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/cone-scan.hpp"
#include "bench/node-timing.hpp"
#include "bench/truth.hpp"
#include "bench/variants.hpp"
#include "kernels/cone-back-project/plain.hpp"
#include <numbers>

namespace sino::bench {

namespace {

struct Lines {
  double gups;
  double error; // relative error of the slices, compared with these lines
};

// Projections that a slice takes: all of a circle, and of a helix those of one turn.
int64_t projections_of_slice (const BenchOptions &options)
{
  return options.projections / options.turns;
}

// Whether a slice at height z takes a view: the source is at most half a turn away from it.
bool takes (double z, const View &view, const BenchOptions &options)
{
  return options.turns == 1 || std::abs (view.source.z - z) <= 0.5 * lift_of (options);
}

// The same values in memory of the host: it may not read what it sends to a device.
std::vector<Block> copies (const std::vector<Block> &blocks)
{
  std::vector<Block> all;
  for (const auto &block : blocks) {
    all.push_back (make_block (block.format_pointer (), {}, block.region ()));
    fill (all.back ());
  }
  return all;
}

// Computes some lines of the middle slice by simple loops, with the same number of threads.
Lines plain_lines (const std::vector<Block> &from, const Block &slices, const BenchOptions &options)
{
  const auto &views = from[0].format ().geometry->views;
  const auto size = options.size, lines = std::min<int64_t> (size, 8 * options.threads), first = (size - lines) / 2,
             of_slice = projections_of_slice (options);
  const double start = 0.5 - 0.5 * static_cast<double> (size);
  const cone_back_project::Volume volume{
      .first = {start, start, start}, .size = 1, .columns = size, .lines = size, .slices = size};
  std::vector<float> out (static_cast<size_t> (lines * size));
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  const auto timing = measure (options.runs, [&] {
    std::ranges::fill (out, 0.0F);
    cpu.parallel (lines, 1, [&] (int64_t begin, int64_t end) {
      for (const auto &block : from)
        for (int64_t i = 0; i < block.angles ().size (); i++) {
          const auto &view = views[static_cast<size_t> (block.angles ().at (i))];
          if (!takes (volume.first.z + static_cast<double> (size / 2), view, options))
            continue;
          const auto matrix = matrix_of (view);
          const double weight =
              2 * std::numbers::pi / static_cast<double> (of_slice) * matrix[2][3] / length (view.column);
          for (auto y = begin; y < end; y++)
            cone_back_project::add_line (volume, first + y, size / 2, {matrix, weight},
                                         {block.as<float> () + block.offset (i, 0), block.rows (), options.detector},
                                         out.data () + y * size);
        }
    });
  });
  RelativeError error;
  const auto *found = slices.as<float> () + (size / 2 * size + first) * size;
  for (size_t i = 0; i < out.size (); i++)
    error.add (static_cast<double> (found[i]), static_cast<double> (out[i]));
  return {1e-9 * static_cast<double> (lines * size * of_slice) / timing.median, error.value ()};
}

} // namespace

void bench_cone_back_project (const BenchOptions &given, Report &report)
{
  auto options = given;
  options.slices = options.size;
  check_variants (options, {"cone-back-project"}, "columns(Z=8)");
  if (split (options.variants, ';').size () > 1)
    fail (SINO_ERROR_BAD_PROPERTY,
          "--variants=%s names several kernels, and cone-back-project measures one: give one name",
          options.variants.c_str ());
  const auto side = static_cast<double> (options.size), detector = static_cast<double> (options.detector);
  const auto format = cone_scan (options);
  require_cone_memory (
      options, 4.0 * (side * side * side + 2 * detector * detector * static_cast<double> (options.projections)));
  const bool native = options.device->kind == Device::Kind::native;
  const auto words = number (options.size);
  Properties properties{{"size", words}, {"slices", words}, {"voxel-size", "1"}, {"precision", options.precision}};
  if (!options.variants.empty ())
    std::ranges::copy (words_of (options.variants), std::back_inserter (properties));
  const auto task = make_task ("cone-back-project", properties);
  TaskHarness node (*task, {format}, {options.device.get (), options.threads});
  auto from = node.input_blocks (0, {0, options.size}, batch);
  for (auto &block : from)
    fill (block);
  // One block, so that its lines can be compared.
  const std::vector<Block> slices{make_block (node.format (), {}, {{0, options.size}, {0, 1}})};
  const auto [timing, kernel_seconds] = measure_node (options.runs, node, {from}, slices, options.device);
  const double updates = task->updates_per_row () * side, gups = 1e-9 * updates / timing.median;
  const auto plain = plain_lines (native ? from : copies (from), slices[0], options);

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT "^3 voxels from %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT
                         "^2 pixels, %s",
                         options.size, options.projections, options.detector, options.precision.c_str ()));
  if (options.turns > 1)
    report.headline (text ("a helix of %" G_GINT64_FORMAT " turns: each slice takes the %" G_GINT64_FORMAT
                           " projections that are nearest to it",
                           options.turns, projections_of_slice (options)));
  report_scan (options, report);
  report.integer ("detector", options.detector);
  report.integer ("turns", options.turns);
  report.word ("precision", options.precision);
  const auto kernel = task->remark (*options.device, 1);
  report.word ("kernel", kernel);
  report.headline (kernel);
  report_timing (timing, options.runs, report);
  report_speed (timing.median, options, projections_of_slice (options), report);
  if (kernel_seconds > 0)
    report.figure ("kernel_gups", 1e-9 * updates / kernel_seconds, "kernels alone", " GUPS", "by the device's clock");
  report_energy (timing, options, report);
  const auto by_cpu = gups * timing.median * options.threads / timing.cpu;
  report.figure ("gups_by_cpu_time", by_cpu, "by CPU time", " GUPS", "as if each thread had its own core");
  report.figure ("relative_rmse", plain.error, "relative RMSE", "", "from the reference kernel");
  report.number ("reference_gups", plain.gups);
  report.figure ("ratio", gups / plain.gups, "ratio", "",
                 text ("to the reference kernel's %s GUPS", digits (plain.gups).c_str ()));
}

} // namespace sino::bench
