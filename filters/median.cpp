// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces each value by the median around it: removes spots and outliers, and keeps edges.
#include "filters/median/window.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/neighbours.hpp"
#include "kernels/opencl/source.hpp"

namespace sino::median {
namespace {

using median::Direction;

const families::Family &family ();

class Median final : public NeighbourFilter
{
public:
  static constexpr Info info{"median", "Replace each value by the median of its neighbourhood"};

  median::WindowSettings settings;
  families::Use opencl{family ()};

  static constexpr auto properties = joined (group<&Median::settings> (), kernel_properties<&Median::opencl> ());

  Format filtered (const Format &input) override
  {
    settings.check (input, info.name);
    // Neighbours along the angles are in other frames of projections, and in other lines of sinograms.
    const int along = settings.direction == Direction::frame ? 0 : input.kind () == Kind::projections ? 1 : 2;
    opencl.negotiated (
        {1,
         input.rows (),
         {{"size", settings.size}, {"along", along}, {"element", static_cast<int64_t> (input.element)}}});
    Format output = input;
    output.mark_smoothed (info.name);
    return output;
  }

  int64_t reach_along (Axis axis) const override { return settings.reach_along (axis, input_format ()); }

  std::unique_ptr<LineMaker> line_maker (int64_t step) const override
  {
    return std::make_unique<median::MedianMaker> (input_format ().element, settings.window (), step);
  }
  size_t line_memory (int64_t step) const override
  {
    return median::median_scratch (input_format ().element, settings.window (), step);
  }

  const families::Use *kernels () const override { return &opencl; }

  // On the CPU, from the number of minima and maxima of bytes that a thread computes per second with vectors.
  double seconds (const Device &device, int threads) const override
  {
    const double operations = input_format ().bytes () * median::median_operations (settings.window ());
    return on_device (device) ? 0 : operations / (1.5e11 * threads);
  }
};

std::string options (const families::Setting &setting, const families::Problem &problem)
{
  constexpr const char *along[] = {"", " -DALONG_FRAMES", " -DALONG_LINES"};
  const auto element = static_cast<Element> (problem["element"]);
  return text (" -DSIZE=%d -DBITS=%zu -DFLOATS=%d%s", static_cast<int> (problem["size"]), 8 * size_of (element),
               element == Element::f16 || element == Element::f32, along[problem["along"]]) +
         (setting.kernel->name == std::string_view ("select") ? " -DSELECT" : "");
}

const families::Family &family ()
{
  using namespace families;
  static const auto all = [] {
    const families::KernelSource source{"median/median.cl", opencl::opencl_source};
    Family two{
        .name = "median",
        .words = {{.name = "size", .help = "Values across the window", .tuned = true, .tried = true},
                  {.name = "along", .help = "", .values = {"square", "frames", "lines"}, .from = Word::From::scan},
                  {.name = "element", .help = "", .values = {"u8", "u16", "f16", "f32"}, .from = Word::From::scan}},
        .kernels = {neighbour_kernel ("select", "half of the window in registers", source),
                    neighbour_kernel ("bisect", "counts, for any window", source)},
        .any_lanes = true,
        .takes_projections = true,
        .native_on_cpus = true,
        .usual = {1, 1000, {{"size", 3}, {"along", 0}, {"element", 3}}},
        .options = options,
        .trial =
            [] (const OpenclDevice &device, const Setting &setting, const Problem &problem) {
              Median task;
              task.settings.size = static_cast<int> (problem["size"]);
              task.settings.direction = problem["along"] == 0 ? Direction::frame : Direction::angle;
              return task.trial (problem["along"] == 2 ? Kind::sinograms : Kind::projections,
                                 static_cast<Element> (problem["element"]), device, setting, problem);
            },
        .most_error = 0};
    two.kernels[0].contradiction = [] (const Setting &, const Problem &problem, const OpenclFacts &) {
      const auto values = problem["size"] * (problem["along"] == 0 ? problem["size"] : 1);
      return values > 49 ? text ("takes windows of at most 49 values, not of %d", static_cast<int> (values)) : "";
    };
    two.kernels[1].reference = true;
    return two;
  }();
  return all;
}

} // namespace

SINO_REGISTER (Median)

} // namespace sino::median
