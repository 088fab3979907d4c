// SPDX-License-Identifier: LGPL-3.0-or-later
// Mirrors images from left to right, or upside down.
#include "base/error.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/gather.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <algorithm>
#include <numbers>

namespace sino::flip {
namespace {
using namespace move_pixels;

enum class Direction : uint8_t { horizontal, vertical };

const families::Family &family ()
{
  static const auto all = copying_family ("flip");
  return all;
}

class Flip final : public MovingFilter
{
public:
  static constexpr Info info{"flip", "Mirror images from left to right, or upside down"};

  Direction direction = Direction::horizontal;
  Follows geometry = Follows::moves;

  static constexpr Nick<Direction> directions[] = {{Direction::horizontal, "horizontal"},
                                                   {Direction::vertical, "vertical"}};
  static constexpr Nick<Follows> follows[] = {{Follows::moves, "moves"}, {Follows::stays, "stays"}};
  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Flip::direction> ("direction", "horizontal: the last column comes first; vertical: the last row",
                                  directions),
          prop<&Flip::geometry> (
              "geometry",
              "moves: the geometry is mirrored with the pixels, so that slices do not change; stays: the images were "
              "mirrored, and the scan's geometry is right after this node mirrors them back",
              follows),
      },
      kernel_properties<&Flip::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  // Rows have their own noise, and their numbers stay with `geometry=stays`.
  bool keeps_noise () const override { return direction == Direction::horizontal || geometry == Follows::moves; }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  const char *hides_places () const override { return geometry == Follows::stays ? info.name : nullptr; }
  void check (const Format &input) override
  {
    if (input.kind () == Kind::sinograms && direction == Direction::vertical)
      fail (SINO_ERROR_BAD_FORMAT, "direction=vertical wants projections or slices, because the rows of sinograms are "
                                   "angles: put this node before 'interleave'");
  }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    auto columns = in_order (0, shape.extent.width), rows = in_order (0, shape.extent.height);
    auto &places = direction == Direction::horizontal ? columns : rows;
    std::ranges::reverse (places);
    return std::make_shared<Gather> (shape.element, shape.extent, columns, rows);
  }

  void follow (const Format &input, Format &output, Geometry &scan) const override
  {
    const bool columns = direction == Direction::horizontal;
    auto &dim = output.axes[columns ? 2 : 1];
    if (input.kind () == Kind::slices || geometry == Follows::stays)
      return;
    dim.first = dim.number (dim.extent - 1);
    dim.step = -dim.step;
    const auto extent = static_cast<double> (dim.extent);
    for (auto &view : scan.views) {
      auto &step = columns ? view.column : view.row;
      view.corner = view.corner + extent * step;
      step = -1.0 * step;
    }
    if (!columns)
      return;
    for (auto &axis : scan.axis)
      axis = extent - axis;
    // A projection mirrored at the axis is the view from the opposite side.
    if (scan.views.empty ())
      for (auto &angle : scan.angles)
        angle += std::numbers::pi;
  }
};

} // namespace

SINO_REGISTER (Flip)

} // namespace sino::flip
