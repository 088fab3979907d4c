// SPDX-License-Identifier: LGPL-3.0-or-later
// Swaps rows and columns, for cameras that stand on their side.
#include "base/error.hpp"
#include "base/shown.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/transposed.hpp"
#include "glue/module.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"

namespace sino::transpose {
namespace {
using namespace move_pixels;

const families::Family &family ()
{
  static const auto all = transposing_family ("transpose");
  return all;
}

class Transpose final : public MovingFilter
{
public:
  static constexpr Info info{"transpose", "Exchange the rows and columns of each image"};
  static constexpr Signature signature{.takes = {Kind::projections | Kind::slices, any_element}};
  families::Use opencl{family ()};
  static constexpr auto properties = kernel_properties<&Transpose::opencl> ();

  const families::Use *kernels () const override { return &opencl; }

  bool takes_lanes () const override { return false; }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  const char *hides_places () const override { return info.name; }
  void check (const Format &input) override
  {
    want_unfiltered (input);
    if (input.kind () == Kind::projections && input.geometry && input.geometry->views.empty () &&
        !input.geometry->axis.empty ())
      fail (SINO_ERROR_BAD_FORMAT,
            "the axis of rotation is parallel to the columns, at %g, and would become parallel to the rows, which a "
            "parallel beam cannot have: leave this node out, or give axis= to the reconstruction instead of %s",
            input.geometry->axis[0], input.source.empty () ? "the source" : in_quotes (input.source).c_str ());
  }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    return std::make_shared<Transposed> (shape.element, shape.extent);
  }

  void follow (const Format &input, Format &output, Geometry &geometry) const override
  {
    for (const size_t i : {1, 2}) {
      const auto &dim = input.axes[3 - i];
      output.axes[i] = {input.axes[i].axis, dim.extent, dim.first, dim.step};
    }
    if (input.kind () == Kind::slices || geometry.views.empty ())
      return;
    for (auto &view : geometry.views)
      std::swap (view.column, view.row);
    geometry.rows_apart = 1 / geometry.rows_apart;
    if (geometry.pixel_size)
      geometry.pixel_size = length (geometry.views[0].column);
    geometry.axis.clear (); // the views include the axis
  }
};

} // namespace

SINO_REGISTER (Transpose)

} // namespace sino::transpose
