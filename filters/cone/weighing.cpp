// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone/weighing.hpp"
#include "base/angle.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::cone {

Weighing::Weighing (Format &format, const OffsetSettings &offset)
    : all_weights (format, views_of (format)), columns_before (static_cast<size_t> (format.extent (Axis::column)))
{
  check_range (format);
  find_lean (format);
  note_gaps ();
  if (const auto sides = all_weights.sides (format); takes_over (sides, offset.detector)) {
    all_weights.take_over (sides);
    widen (format, sides);
  } else
    note_sides (sides, offset.detector);
}

void Weighing::weigh (size_t projection, int64_t row, std::span<const float> shares, const float *in,
                      std::span<float> out) const
{
  std::fill_n (out.begin (), before, 0.0f);
  cone_weight::weigh (all_weights.cosines (projection, row), shares.data (), in, columns (), out.data () + before);
  std::fill (out.begin () + before + columns (), out.end (), 0.0f);
}

void Weighing::check_range (const Format &format) const
{
  const auto &coverage = all_weights.coverage ();
  if (coverage.turns > 0 || coverage.helix)
    return;
  const double wanted = std::numbers::pi + 2 * all_weights.widest_fan (format);
  if (coverage.range < wanted - coverage.step)
    fail (SINO_ERROR_BAD_FORMAT,
          "the projections cover %.4g degrees: this wants whole turns, or a short scan from %.4g (180 plus the fan "
          "angle) to 360",
          degrees (coverage.range), degrees (wanted));
}

// Whether, for an offset detector, one measurement of a ray is blended into the opposite one.
bool Weighing::takes_over (const Weights::Sides &sides, Offset detector) const
{
  const auto &coverage = all_weights.coverage ();
  const double off = std::abs (sides.left - sides.right);
  const bool far = 0.5 * off > 0.05 * (sides.left + sides.right);
  if (off == 0 || detector == Offset::no || (detector == Offset::automatic && !far))
    return false;
  if (coverage.turns == 0 || coverage.helix)
    fail (SINO_ERROR_BAD_FORMAT,
          "rays pass up to %.6g from the axis on one side and %.6g on the other: %s does not measure the longer side "
          "from some directions: use a whole turn, or offset-detector=no if the object ends within %.6g of the axis",
          std::max (sides.left, sides.right), std::min (sides.left, sides.right),
          coverage.helix ? "a helix" : "a short scan", std::min (sides.left, sides.right));
  if (std::min (sides.left, sides.right) <= 0)
    fail (SINO_ERROR_BAD_FORMAT, "the axis of rotation is not on the detector in all projections, so that no ray "
                                 "through the axis is measured");
  return true;
}

void Weighing::note_gaps ()
{
  const auto &gaps = all_weights.coverage ().gaps;
  if (gaps.empty ())
    return;
  const auto more = gaps.size () > 1 ? text (" and in %zu more", gaps.size () - 1) : std::string ();
  all_notes.push_back (text ("no projection was taken from %.4g to %.4g degrees%s: slices are blurred along these",
                             degrees (gaps[0].begin), degrees (gaps[0].begin + gaps[0].width), more.c_str ()));
}

// Warns that rays which only the longer side measures get half their weight.
void Weighing::note_sides (const Weights::Sides &sides, Offset detector)
{
  constexpr double small = 0.01; // as a share of the columns
  const auto [shorter, longer] = std::minmax (sides.left, sides.right);
  if (detector == Offset::no || 0.5 * (longer - shorter) < small * (sides.left + sides.right))
    return;
  all_notes.push_back (
      text ("rays pass up to %.6g from the axis on one side and %.6g on the other, and both sides have "
            "equal weight: this is right if the object ends within %.6g of the axis%s",
            longer, shorter, shorter, all_weights.coverage ().turns > 0 ? ", otherwise give offset-detector=yes" : ""));
}

// Adds columns of zeros, so that the shorter side of the filtered rows reaches as far as the longer one.
void Weighing::widen (Format &format, const Weights::Sides &sides)
{
  const auto [left, right] = sides;
  const bool on_left = left < right;
  const double all = static_cast<double> (columns_before), longer = std::max (left, right);
  auto added = static_cast<int64_t> (std::ceil (all * std::abs (left - right) / (left + right)));
  const auto reach = [&] {
    return all_weights.reach (on_left ? -static_cast<double> (added) : all + static_cast<double> (added));
  };
  while (added < 8 * static_cast<int64_t> (columns_before) && reach () < longer)
    added += added / 16 + 1;
  before = on_left ? added : 0;
  auto geometry = *format.geometry;
  for (auto &axis : geometry.axis)
    axis += static_cast<double> (before);
  if (geometry.axis.empty () && geometry.views.empty ())
    geometry.axis = {0.5 * all + static_cast<double> (before)};
  for (auto &view : geometry.views)
    view = part_of (view, -before, 1, 0, 1);
  format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  auto &column = format.dim (Axis::column);
  column = {Axis::column, column.extent + added, column.number (-before), column.step};
}

void Weighing::find_lean (const Format &format)
{
  double most = 0;
  for (const auto &view : all_weights.views ()) {
    step_unless_cancelled ();
    most = std::max (most, std::abs (std::asin (view.column.z / length (view.column))));
  }
  if (std::tan (most) * static_cast<double> (format.extent (Axis::column)) > 1)
    all_notes.push_back (text ("the detector's rows are tilted by up to %.3g degrees against the plane of rotation; "
                               "'ramp-filter' filters along them, which blurs details far from the axis",
                               degrees (most)));
}

} // namespace sino::cone
