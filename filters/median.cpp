// SPDX-License-Identifier: LGPL-3.0-or-later
// The median of the values around each: removes spots and outliers, and keeps edges.
#include "kernels/median/median.hpp"
#include "base/error.hpp"
#include "glue/kernel-properties.hpp"
#include "glue/module.hpp"
#include "glue/neighbours.hpp"
#include "kernels/opencl/source.hpp"

namespace {
using namespace sino;

enum class Direction { frame, angle };

const families::Family &family ();

class Median final : public NeighbourFilter
{
public:
  static constexpr Info info{"median", "Replace each value by the median of those around it"};

  int size = 3;
  Direction direction = Direction::frame;
  families::Use opencl{family ()};

  static constexpr Nick<Direction> directions[] = {{Direction::frame, "frame"}, {Direction::angle, "angle"}};
  static constexpr auto properties = joined (
      std::array{prop<&Median::size> ("size", "Values across the window, an odd number", Range{3, median::most_median}),
                 prop<&Median::direction> ("direction",
                                           "frame: size x size values of an image (of a projection, sinogram or "
                                           "slice); angle: as many angles of a pixel",
                                           directions)},
      kernel_properties<&Median::opencl> ());

  Format filtered (const Format &input) override
  {
    if (size % 2 == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "size=%d has no middle: give %d or %d", size, size - 1, size + 1);
    if (direction == Direction::angle && !input.has (Axis::angle))
      fail (SINO_ERROR_BAD_FORMAT,
            "direction=angle wants projections or sinograms, got %s: use direction=frame, or put "
            "'median' before the reconstruction",
            input.describe ().c_str ());
    element = input.element;
    bytes = input.bytes ();
    outermost = input.axes[0].axis;
    // Along the angles, these are frames of projections, and lines of sinograms.
    const int along = direction == Direction::frame ? 0 : input.kind () == Kind::projections ? 1 : 2;
    opencl.negotiated (
        {1, input.rows (), {{"size", size}, {"along", along}, {"element", static_cast<int64_t> (element)}}});
    Format output = input;
    output.mark_changed (info.name);
    return output;
  }

  int64_t reach_along (Axis axis) const override
  {
    return (direction == Direction::angle ? axis == Axis::angle : axis != outermost) ? size / 2 : 0;
  }

  std::unique_ptr<LineMaker> line_maker (int64_t step) const override;
  size_t line_memory (int64_t step) const override { return median::median_scratch (element, window (), step); }

  const families::Use *kernels () const override { return &opencl; }

  // On the CPU: so many minima and maxima of bytes a thread makes, in vectors.
  double seconds (const Device &device, int threads) const override
  {
    return on_device (device) ? 0 : bytes * median::median_operations (window ()) / (1.5e11 * threads);
  }

private:
  double bytes = 0; // of the stream
  Element element = Element::f32;
  Axis outermost = Axis::angle;

  median::MedianWindow window () const { return {size, direction == Direction::frame}; }
};

class Maker final : public LineMaker
{
public:
  Maker (Element e, median::MedianWindow w, int64_t s)
      : element (e), window (w), step (s), scratch (median::median_scratch (e, w, s))
  {
  }

  bool lay (const std::byte *from, int64_t bytes, std::byte *to) override
  {
    return median::median_keys (element, from, bytes / static_cast<int64_t> (size_of (element)), to);
  }

  void make (std::span<const NearLine> near, int64_t values, std::byte *out) override
  {
    const auto border = static_cast<size_t> (window.square ? window.size / 2 * step : 0) * size_of (element);
    const std::byte *lines[median::most_median];
    bool nans = false;
    for (size_t i = 0; i < near.size (); i++) {
      lines[i] = near[i].values - border;
      nans = nans || near[i].marked;
    }
    median::median_line (element, window, {lines, near.size ()}, nans, step, values, scratch.data (), out);
  }

private:
  const Element element;
  const median::MedianWindow window;
  const int64_t step;
  std::vector<std::byte> scratch;
};

std::unique_ptr<LineMaker> Median::line_maker (int64_t step) const
{
  return std::make_unique<Maker> (element, window (), step);
}

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
    const Source source{"median/median.cl", opencl::opencl_source};
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
              task.size = static_cast<int> (problem["size"]);
              task.direction = problem["along"] == 0 ? Direction::frame : Direction::angle;
              return task.trial (problem["along"] == 2 ? Kind::sinograms : Kind::projections,
                                 static_cast<Element> (problem["element"]), device, setting, problem);
            },
        .most_error = 0};
    two.kernels[0].contradiction = [] (const Setting &, const Problem &problem, const OpenclFacts &) {
      const auto values = problem["size"] * (problem["along"] == 0 ? problem["size"] : 1);
      return values > 49 ? text ("takes windows of 49 values at most, not of %d", static_cast<int> (values)) : "";
    };
    two.kernels[1].reference = true;
    return two;
  }();
  return all;
}

} // namespace

SINO_REGISTER (Median)
