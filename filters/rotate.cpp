// SPDX-License-Identifier: LGPL-3.0-or-later
// Rotates images about their middle, for a detector that was not upright.
#include "base/angle.hpp"
#include "base/error.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/resampled.hpp"
#include "glue/module.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <algorithm>
#include <cmath>

namespace sino::rotate {
namespace {
using namespace move_pixels;

class Rotated final : public Resampled
{
public:
  Rotated (const Shape &shape, Interpolation i, double angle)
      : Resampled (shape.element, shape.extent, i, angle == 0 ? Mixes::columns : Mixes::rows_too), c (std::cos (angle)),
        s (std::sin (angle)), x (0.5 * static_cast<double> (from.width - 1)),
        y (0.5 * static_cast<double> (from.height - 1))
  {
  }

protected:
  void points (int64_t, int64_t row, Interval columns, double *from_columns, double *from_rows) const override
  {
    fill (columns, from_columns, from_rows, [&] (int64_t column) { return source (column, row); });
  }
  Reach reach_of (int64_t row) const override
  {
    const auto ends = std::minmax ({source (0, row).row, source (from.width - 1, row).row});
    return {ends.first, ends.second};
  }

private:
  const double c, s, x, y;

  Point source (int64_t column, int64_t row) const
  {
    const double u = static_cast<double> (column) - x, v = static_cast<double> (row) - y;
    return {x + c * u + s * v, y - s * u + c * v};
  }
};

const families::Family &family ()
{
  static const auto all = resampling_family ("rotate");
  return all;
}

class Rotate final : public MovingFilter
{
public:
  static constexpr Info info{"rotate", "Rotate images about their middle"};
  static constexpr Signature signature{.takes = {Kind::projections | Kind::slices, any_element},
                                       .gives = {.elements = Element::f32}};

  double angle = 0;
  Interpolation interpolation = Interpolation::linear;
  Follows geometry = Follows::automatic;

  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Rotate::angle> ("angle", "Degrees clockwise, as images are drawn", Range{-45, 45}),
          prop<&Rotate::interpolation> ("interpolation", "linear, or a cubic spline through all pixels",
                                        interpolations),
          prop<&Rotate::geometry> (
              "geometry",
              "moves: the geometry is rotated with the pixels, so that slices do not change; stays: "
              "the scan's geometry is right for the rotated images; auto: moves if the scan gives the "
              "positions of source and detector, as for a cone beam",
              follows),
      },
      kernel_properties<&Rotate::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  bool takes_lanes () const override { return false; }
  std::vector<std::string> warnings () const override { return notes; }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  const char *hides_places () const override { return info.name; }
  void check (const Format &input) override
  {
    notes.clear ();
    want_unfiltered (input);
    const bool views = input.geometry && !input.geometry->views.empty ();
    if (input.kind () == Kind::projections && !views && geometry == Follows::moves)
      fail (SINO_ERROR_BAD_PROPERTY, "geometry=moves: a parallel beam at right angles to the axis cannot have a "
                                     "rotated detector; leave geometry= out");
    if (views && geometry == Follows::automatic && angle != 0)
      notes.emplace_back ("the scan's geometry is rotated with the pixels, so that slices do not change: set "
                          "geometry=stays if the geometry describes an upright detector, but the detector was rotated");
  }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    return std::make_shared<Rotated> (shape, interpolation, radians (angle));
  }

  // The point (u, v) of the new detector was at (x + c (u - x) + s (v - y), y - s (u - x) + c (v - y)) of the old one.
  void follow (const Format &input, Format &, Geometry &scan) const override
  {
    if (input.kind () == Kind::slices || geometry == Follows::stays)
      return;
    const double x = 0.5 * static_cast<double> (input.axes[2].extent),
                 y = 0.5 * static_cast<double> (input.axes[1].extent), c = std::cos (radians (angle)),
                 s = std::sin (radians (angle));
    for (auto &view : scan.views) {
      const auto column = view.column, row = view.row;
      view.corner = view.corner + (x - c * x - s * y) * column + (y + s * x - c * y) * row;
      view.column = c * column - s * row;
      view.row = s * column + c * row;
    }
  }

private:
  std::vector<std::string> notes;
};

} // namespace

SINO_REGISTER (Rotate)

} // namespace sino::rotate
