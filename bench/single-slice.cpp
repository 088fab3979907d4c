// SPDX-License-Identifier: LGPL-3.0-or-later
// One slice alone, as for pictures on the screen: from its rows, and again with another axis.
#include "base/error.hpp"
#include "base/text.hpp"
#include "bench/timing.hpp"
#include "bench/truth.hpp"
#include "kernels/single-slice/slice.hpp"
#include <numbers>

namespace sino::bench {

namespace {

// A window for which the exact result has a closed form; all windows take the same time.
constexpr fourier_reconstruct::Filter hann{ramp_filter::Window::hann, 1, 2, 1, 1};

single_slice::Problem problem_of (const Scan &scan)
{
  single_slice::Problem problem{.columns = scan.format->extent (Axis::column), .rays = {}};
  const auto &angles = scan.format->geometry->angles;
  const auto weight = static_cast<float> (std::numbers::pi / static_cast<double> (angles.size ()));
  for (const auto angle : angles)
    problem.rays.push_back (
        {std::cos (angle), std::sin (angle), 0.5 * static_cast<double> (problem.columns) - 0.5, weight});
  return problem;
}

std::vector<float> sinogram_of (const Scan &scan)
{
  std::vector<float> sinogram;
  for (const auto &block : scan.blocks)
    for (int64_t angle = 0; angle < block.angles ().size (); angle++) {
      const float *row = block.as<float> () + block.offset (angle, 0);
      sinogram.insert (sinogram.end (), row, row + block.line ());
    }
  return sinogram;
}

Block new_slice (int64_t size)
{
  const auto format =
      std::make_shared<const Format> (slices (Element::f32, Dim{Axis::z, 1}, Dim{Axis::y, size}, Dim{Axis::x, size}));
  return make_block (format, {}, {{0, 1}, {0, 1}});
}

} // namespace

void bench_single_slice (const BenchOptions &options, Report &report)
{
  if (single_slice::vector_lanes () == 0)
    throw Error (SINO_ERROR_DEVICE, "this CPU does not have the vector instructions that one slice needs");
  const auto size = static_cast<double> (options.size);
  // Projections, the sinogram, transforms of its rows, the grid, the slice.
  require_memory (options, 4 * size * (4 * static_cast<double> (options.projections) + 4 * size),
                  "a smaller --size or fewer --projections");
  const auto scan = simulated_scan (options, false);
  const auto sinogram = sinogram_of (scan);
  const auto problem = problem_of (scan);
  const Monitor monitor;
  const Cpu cpu (options.threads, monitor);
  std::optional<single_slice::Slice> one;
  const auto setup = measure (options.runs, [&] { one.emplace (problem, cpu); });
  const auto take = measure (options.runs, [&] { one->take (sinogram.data ()); });
  auto block = new_slice (options.size);
  const auto make = [&] (int level) {
    return measure (options.runs, [&] { one->make ({.filter = hann, .level = level}, block.as<float> ()); });
  };
  std::vector<std::string> levels;
  report_place (options, report);
  report.headline (scan_text (options));
  report_scan (options, report);
  report.duration ("setup_seconds", setup.median, "set-up", "once for a slice");
  report.duration ("take_seconds", take.median, "rows", "transforms of the sinogram's rows");
  for (int level = single_slice::last_level; level >= 0; level--) {
    const auto timing = make (level);
    levels.insert (levels.begin (), json_number (timing.median));
    report.row ({text ("level %d", level), seconds_text (timing.median),
                 text ("%" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels, from transformed rows", one->size (level),
                       one->size (level))});
    if (level == 0)
      report_timing (timing, options.runs, report);
  }
  report.literal ("level_seconds", "[" + join (levels) + "]");
  const auto memory = static_cast<double> (total (single_slice::Slice::memory (problem, cpu)));
  report.number ("memory_bytes", memory);
  report.row ({"memory", bytes_text (memory), "without the sinogram and the slice"});
  report.figure ("relative_rmse", exact_slices_error (scan, {block}), "relative RMSE", "",
                 "from exact interpolation in float64");
}

} // namespace sino::bench
