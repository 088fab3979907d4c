// SPDX-License-Identifier: LGPL-3.0-or-later
// Swaps rows and columns, for cameras that stand on their side.
#include "base/error.hpp"
#include "base/shown.hpp"
#include "filters/move-pixels/filter.hpp"
#include "glue/module.hpp"
#include "glue/wants.hpp"
#include <algorithm>

namespace sino::transpose {
namespace {
using namespace move_pixels;

class Transposed final : public Move
{
public:
  Transposed (Element e, Extent image) : Move (e, image, e, {image.height, image.width}) {}

  Rows needs (Rows) const override { return {0, from.height}; }
  size_t scratch (int64_t) const override { return 0; }
  int64_t together () const override { return 64; } // a cache line of bytes

  void make (const Picture &in, int64_t, Rows rows, std::byte *out) const override
  {
    switch (size_of (element)) {
    case 1:
      return turn<uint8_t> (in, rows, out);
    case 2:
      return turn<uint16_t> (in, rows, out);
    default:
      return turn<uint32_t> (in, rows, out);
    }
  }

private:
  // Reads a cache line from each of 64 rows at once, because cache lines of rows at a distance of a power of two evict
  // each other.
  template <class Value> void turn (const Picture &in, Rows rows, std::byte *out) const
  {
    constexpr int64_t line = 64 / sizeof (Value), most = 64;
    const auto *values = reinterpret_cast<const Value *> (in.data);
    auto *turned = reinterpret_cast<Value *> (out);
    const auto width = to.width;
    Value some[line][most];
    for (auto row = rows.begin; row < rows.end; row += line)
      for (int64_t column = 0; column < width; column += most) {
        const auto n = std::min (line, rows.end - row), count = std::min (most, width - column);
        for (int64_t c = 0; c < count; c++)
          for (int64_t r = 0; r < n; r++)
            some[r][c] = values[(column + c) * in.width + row + r];
        for (int64_t r = 0; r < n; r++)
          std::copy_n (some[r], count, turned + (row - rows.begin + r) * width + column);
      }
  }
};

class Transpose final : public MovingFilter
{
public:
  static constexpr Info info{"transpose", "Exchange the rows and columns of each image"};
  static constexpr Signature signature{.takes = {Kind::projections | Kind::slices, any_element}};
  static constexpr std::array<Property, 0> properties{};

  bool takes_lanes () const override { return false; }

protected:
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
