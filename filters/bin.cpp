// SPDX-License-Identifier: LGPL-3.0-or-later
// Combines several pixels into one.
#include "base/error.hpp"
#include "filters/move-pixels/binned.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "glue/module.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <limits>

namespace sino::bin {
namespace {
using namespace move_pixels;

enum class Value : uint8_t { mean, sum };

const families::Family &family ()
{
  static const auto all = binning_family ("bin");
  return all;
}

class Bin final : public MovingFilter
{
public:
  static constexpr Info info{"bin", "Combine neighbouring pixels into one"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}, .gives = {.elements = Element::f32}};

  int columns = 2, rows = 0;
  Value value = Value::mean;

  static constexpr Nick<Value> values[] = {{Value::mean, "mean"}, {Value::sum, "sum"}};
  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Bin::columns> ("columns", "Columns to combine", Range{1, 4096}),
          prop<&Bin::rows> ("rows",
                            "Rows to combine; 0: as many as columns, but 1 for sinograms, whose rows are angles",
                            Range{0, 4096}),
          prop<&Bin::value> ("value", "Mean or sum of the pixels", values),
      },
      kernel_properties<&Bin::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  void check (const Format &input) override
  {
    want_unfiltered (input);
    if (input.kind () == Kind::sinograms && rows > 1)
      fail (SINO_ERROR_BAD_FORMAT,
            "rows=%d wants projections or slices, because the rows of sinograms are angles: put this node before "
            "'interleave'",
            rows);
    by = {columns, rows > 0 ? rows : input.kind () == Kind::sinograms ? 1 : columns};
    const auto &across = input.axes[2], &down = input.axes[1];
    if (by.columns > across.extent || by.rows > down.extent)
      fail (SINO_ERROR_BAD_PROPERTY,
            "cannot combine %" G_GINT64_FORMAT " columns and %" G_GINT64_FORMAT
            " rows into one pixel, the images have %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
            ": give smaller columns= and rows=",
            by.columns, by.rows, across.extent, down.extent);
  }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    return std::make_shared<Binned> (shape.element, shape.extent, by,
                                     value == Value::mean ? 1.0 / static_cast<double> (by.columns * by.rows) : 1.0);
  }

  // With 32 bits, a mean that includes one saturated pixel is greater than any valid count. With fewer bits it may
  // equal a valid count, so saturation cannot be seen any more.
  float moved_top (float top) const override
  {
    constexpr float no_count = 0x1p30f;
    return top < no_count        ? std::numeric_limits<float>::infinity ()
           : value == Value::sum ? top
                                 : top / static_cast<float> (by.columns * by.rows);
  }

  void follow (const Format &input, Format &output, Geometry &geometry) const override
  {
    if (geometry.pixel_size)
      *geometry.pixel_size *= static_cast<double> (by.columns);
    if (input.kind () == Kind::projections)
      geometry.rows_apart *= static_cast<double> (by.rows);
    geometry.rows_apart /= static_cast<double> (by.columns);
    output.object_radius /= static_cast<double> (by.columns);
    if (value == Value::sum) {
      output.scale.reset ();
      output.per_length = false;
      output.materials.reset ();
    }
    output.axes[1].step *= by.rows;
    output.axes[2].step *= by.columns;
    if (input.kind () == Kind::slices) { // positions in a volume are counted in voxels of the output
      for (const size_t i : {1, 2})
        if (auto &dim = output.axes[i]; dim.first == 0)
          dim.step = input.axes[i].step;
      return;
    }
    for (auto &axis : geometry.axis)
      axis /= static_cast<double> (by.columns);
    for (auto &view : geometry.views) {
      view.column = static_cast<double> (by.columns) * view.column;
      view.row = static_cast<double> (by.rows) * view.row;
    }
  }

private:
  Factors by{1, 1};
};

} // namespace

SINO_REGISTER (Bin)

} // namespace sino::bin
