// SPDX-License-Identifier: LGPL-3.0-or-later
// The pair of projection and back-projection that iterations of cone beams repeat, beside the back-projection of
// filtered back-projection (Feldkamp, Davis and Kress) for the same scan and cube.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/cone-scan.hpp"
#include "bench/timing.hpp"
#include "kernels/footprint/pair.hpp"
#include "run/task-harness.hpp"
#include <algorithm>
#include <cmath>
#include <hwy/aligned_allocator.h>

namespace sino::bench {

namespace {

using Values = hwy::AlignedFreeUniquePtr<float[]>;

// Padded that are padded with zeros behind `used` values.
struct Padded {
  int64_t all, line, used;

  // Zeros, or with a seed numbers of [0, 1).
  Values make (uint32_t seed = 0) const
  {
    auto values = hwy::AllocateAligned<float> (static_cast<size_t> (all));
    for (int64_t i = 0; i < all; i++) {
      const auto number = (static_cast<uint32_t> (i) + seed) * 2654435761U;
      values[static_cast<size_t> (i)] = seed > 0 && i % line < used ? static_cast<float> (number >> 8) * 0x1p-24F : 0;
    }
    return values;
  }
  double product (const Values &a, const Values &b) const
  {
    double sum = 0;
    for (int64_t first = 0; first < all; first += line)
      for (auto i = static_cast<size_t> (first); i < static_cast<size_t> (first + used); i++)
        sum += static_cast<double> (a[i]) * static_cast<double> (b[i]);
    return sum;
  }
};

footprint::Scene scene_of (const Format &scan, const BenchOptions &options)
{
  const auto &views = scan.geometry->views;
  const double first = 0.5 - 0.5 * static_cast<double> (options.size);
  const footprint::Volume volume{{first, first, first}, 1, options.size, options.size, options.size};
  if (const char *why = footprint::against_footprints (views, volume))
    fail (SINO_ERROR_BAD_PROPERTY, "%s", why);
  return footprint::scene_of (views, options.detector, options.detector, volume, HUGE_VAL);
}

struct OfPair {
  Timing forward, back;
  double mismatch; // of  <A x, y>  and  <x, A^T y>
};

OfPair measure_pair (const Format &scan, const BenchOptions &options)
{
  const auto scene = scene_of (scan, options);
  const Padded voxels{scene.voxels (), scene.line, options.size},
      bins{options.projections * scene.bins (), scene.column, options.detector};
  const auto x = voxels.make (1), y = bins.make (77);
  const auto projected = bins.make (), back = voxels.make (), copy = bins.make ();
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  Bill bill;
  footprint::Pair::memory (scene, options.threads, bill);
  Allotment memory (bill);
  const footprint::Pair pair (scene, cpu, monitor, memory);
  const Interval all{0, options.projections};
  const auto forward = measure (options.runs, [&] { pair.forward (x.get (), all, projected.get ()); });
  const auto adjoint = measure (options.runs, [&] {
    std::fill_n (back.get (), voxels.all, 0.0F);
    std::copy_n (y.get (), bins.all, copy.get ());
    pair.adjoint (copy.get (), all, back.get ());
  });
  return {forward, adjoint, std::abs (bins.product (projected, y) / voxels.product (x, back) - 1)};
}

// The node of filtered back-projection, in its usual precision.
Timing measure_fdk (const std::shared_ptr<const Format> &scan, const BenchOptions &options)
{
  const auto words = number (options.size);
  const auto task = make_task ("cone-back-project", {{"size", words}, {"slices", words}, {"voxel-size", "1"}});
  TaskHarness node (*task, {scan}, {options.device.get (), options.threads});
  auto from = node.input_blocks (0, {0, options.size}, batch);
  for (auto &block : from)
    fill (block);
  const auto slices = node.output_blocks ({0, options.size});
  return measure (options.runs, [&] { node.run ({from}, slices); });
}

} // namespace

void bench_cone_iteration (const BenchOptions &given, Report &report)
{
  auto options = given;
  options.slices = options.size;
  const auto side = static_cast<double> (options.size), detector = static_cast<double> (options.detector);
  const auto projections = static_cast<double> (options.projections);
  require_cone_memory (options, 4.4 * (2 * side * side * side + 3 * detector * detector * projections));
  const auto scan = cone_scan (options);
  const auto pair = measure_pair (*scan, options);
  const auto fdk = measure_fdk (scan, options);

  report_place (options, report);
  report.headline (text ("%" G_GINT64_FORMAT "^3 voxels from %" G_GINT64_FORMAT " projections of %" G_GINT64_FORMAT
                         "^2 pixels",
                         options.size, options.projections, options.detector));
  report_scan (options, report);
  report.integer ("detector", options.detector);
  const double updates = 1e-9 * side * side * side * projections;
  report.row ({"", "GUPS", "time", "of FDK's"});
  const auto add = [&] (const char *key, const char *name, const Timing &timing) {
    const auto ratio = timing.median / fdk.median;
    report.number (text ("%s_seconds", key).c_str (), timing.median);
    report.number (text ("%s_gups", key).c_str (), updates / timing.median);
    report.number (text ("%s_ratio", key).c_str (), ratio);
    report.row ({name, digits (updates / timing.median), seconds_text (timing.median), digits (ratio)});
  };
  add ("forward", "projection", pair.forward);
  add ("back", "back-projection, its transpose", pair.back);
  add ("fdk", "cone-back-project (FDK), not filtered", fdk);
  report.number ("mismatch", pair.mismatch);
  report.remark ("an iteration has one projection and one back-projection; <A x, y> / <x, A^T y> differs from 1 by " +
                 digits (pair.mismatch));
}

} // namespace sino::bench
