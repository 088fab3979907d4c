// SPDX-License-Identifier: LGPL-3.0-or-later
// Cuts a rectangle out of each image.
#include "base/error.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/gather.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"

namespace sino::crop {
namespace {
using namespace move_pixels;

// Keeps the values of a range of projections; a single value holds for all of them.
template <class Value> void keep (std::vector<Value> &values, int64_t first, int64_t count)
{
  if (const auto end = first + count; std::ssize (values) > 1 && std::ssize (values) >= end)
    values = {values.begin () + first, values.begin () + end};
}

const families::Family &family ()
{
  static const auto all = copying_family ("crop");
  return all;
}

class Crop final : public MovingFilter
{
public:
  static constexpr Info info{"crop", "Cut a rectangle out of each image"};

  int x = 0, y = 0, width = 0, height = 0;

  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Crop::x> ("x", "First column to keep", Range{0, 1 << 30}),
          prop<&Crop::y> ("y", "First row to keep; for sinograms, the first angle", Range{0, 1 << 30}),
          prop<&Crop::width> ("width", "Columns to keep; 0: all from x on", Range{0, 1 << 30}),
          prop<&Crop::height> ("height", "Rows to keep, or angles of sinograms; 0: all from y on", Range{0, 1 << 30}),
      },
      kernel_properties<&Crop::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  bool keeps_noise () const override { return true; }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    const auto columns = part ("width", width, "x", x, shape.extent.width, "columns");
    const auto rows = shape.rows == Shape::Rows::kept ? in_order (0, shape.extent.height)
                                                      : part ("height", height, "y", y, shape.extent.height,
                                                              shape.rows == Shape::Rows::angles ? "angles" : "rows");
    return std::make_shared<Gather> (shape.element, shape.extent, columns, rows);
  }

  void follow (const Format &input, Format &output, Geometry &geometry) const override
  {
    output.axes[1].first = input.axes[1].number (y);
    output.axes[2].first = input.axes[2].number (x);
    if (input.kind () == Kind::slices)
      return;
    for (auto &axis : geometry.axis)
      axis -= x;
    const bool angles = input.kind () == Kind::sinograms;
    for (auto &view : geometry.views)
      view = part_of (view, x, 1, angles ? 0 : y, 1);
    if (angles) {
      keep (geometry.angles, y, output.angles ());
      keep (geometry.axis, y, output.angles ());
      keep (geometry.views, y, output.angles ());
    }
  }

private:
  static Indices part (const char *size_name, int size, const char *first_name, int first, int64_t extent,
                       const char *what)
  {
    if (first >= extent)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%d is outside: the images have %" G_GINT64_FORMAT " %s, 0 to %" G_GINT64_FORMAT, first_name, first,
            extent, what, extent - 1);
    if (size > extent - first)
      fail (SINO_ERROR_BAD_PROPERTY,
            "%s=%d + %s=%d is more than the %" G_GINT64_FORMAT " %s of the images: at most %" G_GINT64_FORMAT
            " are left",
            first_name, first, size_name, size, extent, what, extent - first);
    return in_order (first, size == 0 ? extent - first : size);
  }
};

} // namespace

SINO_REGISTER (Crop)

} // namespace sino::crop
