// SPDX-License-Identifier: LGPL-3.0-or-later
// Moves images by fractions of a pixel, all alike or each by its own shift.
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/files/number-file.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/shifted.hpp"
#include "glue/module.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <algorithm>
#include <array>

namespace sino::shift {
namespace {
using namespace move_pixels;

const families::Family &family ()
{
  static const auto all = resampling_family ("shift");
  return all;
}

class Shift final : public MovingFilter
{
public:
  static constexpr Info info{"shift", "Shift images by columns and rows, or fractions of them"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}, .gives = {.elements = Element::f32}};

  double dx = 0, dy = 0;
  std::string file;
  Interpolation interpolation = Interpolation::linear;
  Follows geometry = Follows::automatic;

  static constexpr Range far{-1e6, 1e6};
  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Shift::dx> ("dx", "Shift to the right, in columns", far),
          prop<&Shift::dy> ("dy", "Shift downwards, in rows, for projections and slices", far),
          prop<&Shift::file> ("file", "Text file with dx for each projection, or dx and dy"),
          prop<&Shift::interpolation> ("interpolation", "linear, or a cubic spline through all pixels", interpolations),
          prop<&Shift::geometry> ("geometry",
                                  "moves: the geometry is shifted with the pixels, so that slices do not change; "
                                  "stays: the scan's geometry is "
                                  "right for the shifted images; auto: stays with file, otherwise moves",
                                  follows),
      },
      kernel_properties<&Shift::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  std::vector<FileStamp> files () const override { return find_stamps ({file}); }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  const char *hides_places () const override { return info.name; }
  void check (const Format &input) override
  {
    ways = {{dx, dy}};
    if (!file.empty ())
      read_ways (input);
    if (input.kind () == Kind::sinograms && std::ranges::any_of (ways, [] (auto &w) { return w.y != 0; }))
      fail (SINO_ERROR_BAD_FORMAT, "shifts by rows want projections or slices, because the rows of sinograms are "
                                   "angles: put this node before 'interleave'");
  }

  bool takes_lanes () const override { return false; }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    return std::make_shared<Shifted> (shape.element, shape.extent, interpolation, ways,
                                      shape.rows == Shape::Rows::angles);
  }

  void follow (const Format &input, Format &, Geometry &scan) const override
  {
    if (input.kind () == Kind::slices || geometry == Follows::stays ||
        (geometry == Follows::automatic && !file.empty ()))
      return;
    if (scan.axis.size () == 1 && ways.size () > 1)
      scan.axis.resize (ways.size (), scan.axis[0]);
    if (scan.views.size () == 1 && ways.size () > 1)
      scan.views.resize (ways.size (), scan.views[0]);
    const auto way = [this] (size_t i) { return ways[ways.size () == 1 ? 0 : i]; };
    for (size_t i = 0; i < scan.axis.size (); i++)
      scan.axis[i] += way (i).x;
    for (size_t i = 0; i < scan.views.size (); i++) {
      auto &view = scan.views[i];
      view.corner = view.corner - way (i).x * view.column - way (i).y * view.row;
    }
  }

private:
  std::vector<Way> ways;

  void read_ways (const Format &input)
  {
    if (dx != 0 || dy != 0)
      fail (SINO_ERROR_BAD_PROPERTY, "file=%s gives the shifts: leave dx= and dy= out", file.c_str ());
    if (!input.has (Axis::angle))
      fail (SINO_ERROR_BAD_FORMAT, "file=%s is for projections or sinograms, got %s", file.c_str (),
            input.describe ().c_str ());
    if (input.companions.any ())
      fail (SINO_ERROR_BAD_FORMAT,
            "file=%s shifts each projection by another amount, and darks and flats cannot follow: put 'flat-field' "
            "before it",
            file.c_str ());
    const auto n = static_cast<size_t> (input.angles ());
    const auto numbers = read_numbers ("file", "a shift in pixels", file, std::array{2 * input.angles ()}, far.max);
    if (numbers.size () != n && numbers.size () != 2 * n)
      fail (SINO_ERROR_BAD_FILE, "file=%s has %zu numbers for %zu projections: give one for each, or two (dx and dy)",
            file.c_str (), numbers.size (), n);
    const auto per = numbers.size () / n;
    ways.clear ();
    for (size_t i = 0; i < n; i++)
      ways.push_back ({numbers[per * i], per == 2 ? numbers[2 * i + 1] : 0});
  }
};

} // namespace

SINO_REGISTER (Shift)

} // namespace sino::shift
