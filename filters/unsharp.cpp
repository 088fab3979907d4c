// SPDX-License-Identifier: LGPL-3.0-or-later
// Unsharp masking: adds to an image the difference between it and its Gaussian blur.
#include "kernels/unsharp/unsharp.hpp"
#include "glue/module.hpp"
#include "glue/workers/neighbours.hpp"

namespace sino::unsharp {
namespace {

class Maker final : public LineMaker
{
public:
  Maker (Element e, double sigma, double a, int64_t s, int64_t columns)
      : element (e), weights (unsharp::gaussian (sigma)), amount (static_cast<float> (a)), step (s),
        border (unsharp::reach_of (sigma) * s), scratch (static_cast<size_t> (columns * s + 2 * border))
  {
  }

  void make (std::span<const NearLine> window, int64_t values, std::byte *out) override
  {
    lines.clear ();
    for (const auto &line : window)
      lines.push_back (line.values - static_cast<size_t> (border) * size_of (element));
    unsharp::unsharp_line (element, lines, weights, amount, step, values, scratch.data (),
                           reinterpret_cast<float *> (out));
  }

private:
  const Element element;
  const std::vector<float> weights;
  const float amount;
  const int64_t step, border; // values
  std::vector<float> scratch;
  std::vector<const std::byte *> lines;
};

class Unsharp final : public NeighbourFilter
{
public:
  static constexpr Info info{"unsharp", "Sharpen images by unsharp masking with a Gaussian"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}, .gives = {.elements = Element::f32}};

  double sigma = 1, amount = 1;

  static constexpr Property properties[] = {
      prop<&Unsharp::sigma> ("sigma", "Standard deviation of the Gaussian, in pixels", Range{0.2, 50}),
      prop<&Unsharp::amount> ("amount", "Factor of the details removed by the Gaussian that are added",
                              Range{-1, 1000}),
  };

  Format filtered (const Format &input) override
  {
    Format output = input;
    output.element = Element::f32;
    output.mark_smoothed (info.name);
    return output;
  }

  int64_t reach_along (Axis axis) const override
  {
    return axis == input_format ().axes[0].axis ? 0 : unsharp::reach_of (sigma);
  }

  std::unique_ptr<LineMaker> line_maker (int64_t step) const override
  {
    return std::make_unique<Maker> (input_format ().element, sigma, amount, step, input_format ().axes[2].extent);
  }

  size_t line_memory (int64_t step) const override
  {
    const auto border = unsharp::reach_of (sigma), columns = input_format ().axes[2].extent;
    return static_cast<size_t> (columns * step + 2 * border * step + border + 1) * sizeof (float) +
           static_cast<size_t> (2 * border + 1) * sizeof (std::byte *);
  }

  // Multiplications and additions with vectors; lines are in the nearest caches.
  double seconds (const Device &, int threads) const override
  {
    const auto values = input_format ().bytes () / static_cast<double> (size_of (input_format ().element));
    return values * (1 + static_cast<double> (unsharp::reach_of (sigma))) * 2e-10 / threads;
  }
};

} // namespace

SINO_REGISTER (Unsharp)

} // namespace sino::unsharp
