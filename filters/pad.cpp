// SPDX-License-Identifier: LGPL-3.0-or-later
// Adds columns and rows around each image.
#include "base/error.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/gather.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <algorithm>

namespace sino::pad {
namespace {
using namespace move_pixels;

enum class Mode : uint8_t { edge, zero, reflect };

const families::Family &family ()
{
  static const auto all = copying_family ("pad");
  return all;
}

class Pad final : public MovingFilter
{
public:
  static constexpr Info info{"pad", "Add columns and rows around each image"};

  int left = 0, right = 0, top = 0, bottom = 0;
  Mode mode = Mode::edge;

  static constexpr Nick<Mode> modes[] = {{Mode::edge, "edge"}, {Mode::zero, "zero"}, {Mode::reflect, "reflect"}};
  static constexpr Range most{0, 1 << 20};
  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Pad::left> ("left", "Columns to add before the first", most),
          prop<&Pad::right> ("right", "Columns to add after the last", most),
          prop<&Pad::top> ("top", "Rows to add before the first, for projections and slices", most),
          prop<&Pad::bottom> ("bottom", "Rows to add after the last, for projections and slices", most),
          prop<&Pad::mode> ("mode",
                            "edge: the nearest value; zero: the value 0; reflect: mirrored at the outermost value, "
                            "which is not repeated",
                            modes),
      },
      kernel_properties<&Pad::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  void check (const Format &input) override
  {
    if (input.kind () == Kind::sinograms && (top > 0 || bottom > 0))
      fail (SINO_ERROR_BAD_FORMAT,
            "top=%d bottom=%d want projections or slices, because the rows of sinograms are angles: put this node "
            "before 'interleave'",
            top, bottom);
    if (mode == Mode::zero && input.companions.any ())
      fail (SINO_ERROR_BAD_FORMAT, "mode=zero adds pixels without light around counts, which flats cannot correct: put "
                                   "'flat-field' before it, or set mode=edge");
  }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    return std::make_shared<Gather> (shape.element, shape.extent, padded (shape.extent.width, left, right),
                                     padded (shape.extent.height, top, bottom));
  }

  void follow (const Format &input, Format &output, Geometry &geometry) const override
  {
    output.axes[1].first = input.axes[1].number (-top);
    output.axes[2].first = input.axes[2].number (-left);
    if (input.kind () == Kind::slices)
      return;
    for (auto &axis : geometry.axis)
      axis += left;
    for (auto &view : geometry.views)
      view = part_of (view, -left, 1, -top, 1);
  }

private:
  Indices padded (int64_t extent, int64_t before, int64_t behind) const
  {
    auto places = in_order (-before, before + extent + behind);
    const auto period = std::max<int64_t> (2 * (extent - 1), 1);
    for (auto &place : places)
      if (mode == Mode::edge)
        place = std::clamp<int64_t> (place, 0, extent - 1);
      else if (mode == Mode::zero)
        place = place >= 0 && place < extent ? place : nowhere;
      else if (place = (place % period + period) % period; place >= extent)
        place = period - place;
    return places;
  }
};

} // namespace

SINO_REGISTER (Pad)

} // namespace sino::pad
