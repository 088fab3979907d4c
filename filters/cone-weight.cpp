// SPDX-License-Identifier: LGPL-3.0-or-later
// Weights of the algorithm of Feldkamp, Davis and Kress (1984), before the ramp filter.
#include "base/angle.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "filters/cone/offset.hpp"
#include "filters/cone/weights.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::cone_weight {
namespace {

constexpr char shares_item[] = "shares of a row";

class WeightWorker final : public PointWorker
{
public:
  WeightWorker (const Replica &replica, const cone::Weights &w, int64_t before)
      : cpu (replica.cpu), memory (replica.memory), weights (w), columns_before (before)
  {
  }

  void process (const Block &in, Block &out) override
  {
    const auto rows = in.rows ().size (), columns = in.line ();
    const bool once = weights.same_in_rows ();
    cpu.parallel (in.angles ().size () * rows, 16, [&] (int64_t begin, int64_t end) {
      const auto piece = memory.take (shares_item);
      const std::span shares (piece.as<float> (), static_cast<size_t> (columns));
      for (auto i = begin; i < end; i++) {
        const auto projection = static_cast<size_t> (in.angles ().at (i / rows));
        const auto row = in.rows ().at (i % rows);
        if (i == begin || i % rows == 0 || !once)
          weights.shares (projection, row, shares);
        auto *line = out.as<float> () + out.offset (i / rows, i % rows);
        std::fill_n (line, columns_before, 0.0f);
        cone_weight::weigh (weights.cosines (projection, row), shares.data (),
                            in.as<float> () + in.offset (i / rows, i % rows), columns, line + columns_before);
        std::fill (line + columns_before + columns, line + out.line (), 0.0f);
      }
    });
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const cone::Weights &weights;
  const int64_t columns_before; // columns of zeros added on the side where the detector is shorter
};

using cone::Offset;

class ConeWeight final : public Task
{
public:
  static constexpr Info info{
      "cone-weight",
      "Weight rays for filtered back-projection: by cosines, and by shares for rays that were measured twice"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32}};

  cone::OffsetSettings offset;
  static constexpr auto properties = group<&ConeWeight::offset> ();

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    weights = cone::Weights (format, cone::views_of (format));
    columns = static_cast<size_t> (format.extent (Axis::column));
    before = 0;
    notes.clear ();
    check_range (format);
    find_lean (format);
    note_gaps ();
    if (const auto sides = weights.sides (format); takes_over (sides)) {
      weights.take_over (sides);
      widen (format, sides);
    } else
      note_sides (sides);
    format.mark_changed (info.name);
    return format;
  }

  std::vector<std::string> warnings () const override { return notes; }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    add_pages (bill, shares_item, columns * sizeof (float), static_cast<size_t> (sizing.threads));
  }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "views", weights.bytes ()); }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<WeightWorker> (replica, weights, before);
  }

private:
  cone::Weights weights;
  size_t columns = 0;
  int64_t before = 0;
  std::vector<std::string> notes;

  void check_range (const Format &format) const
  {
    const auto &coverage = weights.coverage ();
    if (coverage.turns > 0 || coverage.helix)
      return;
    const double wanted = std::numbers::pi + 2 * weights.widest_fan (format);
    if (coverage.range < wanted - coverage.step)
      fail (SINO_ERROR_BAD_FORMAT,
            "the projections cover %.4g degrees: this wants whole turns, or a short scan from %.4g (180 plus the fan "
            "angle) to 360",
            degrees (coverage.range), degrees (wanted));
  }

  // Whether, for an offset detector, one measurement of a ray is blended into the opposite one.
  bool takes_over (const cone::Weights::Sides &sides) const
  {
    const auto &coverage = weights.coverage ();
    const double off = std::abs (sides.left - sides.right);
    const bool far = 0.5 * off > 0.05 * (sides.left + sides.right);
    if (off == 0 || offset.detector == Offset::no || (offset.detector == Offset::automatic && !far))
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

  void note_gaps ()
  {
    const auto &gaps = weights.coverage ().gaps;
    if (gaps.empty ())
      return;
    const auto more = gaps.size () > 1 ? text (" and in %zu more", gaps.size () - 1) : std::string ();
    notes.push_back (text ("no projection was taken from %.4g to %.4g degrees%s: slices are blurred along these",
                           degrees (gaps[0].begin), degrees (gaps[0].begin + gaps[0].width), more.c_str ()));
  }

  // Warns that rays which only the longer side measures get half their weight.
  void note_sides (const cone::Weights::Sides &sides)
  {
    constexpr double small = 0.01; // as a share of the columns
    const auto [shorter, longer] = std::minmax (sides.left, sides.right);
    if (offset.detector == Offset::no || 0.5 * (longer - shorter) < small * (sides.left + sides.right))
      return;
    notes.push_back (text ("rays pass up to %.6g from the axis on one side and %.6g on the other, and both sides have "
                           "equal weight: this is right if the object ends within %.6g of the axis%s",
                           longer, shorter, shorter,
                           weights.coverage ().turns > 0 ? ", otherwise give offset-detector=yes" : ""));
  }

  // Adds columns of zeros, so that the shorter side of the filtered rows reaches as far as the longer one.
  void widen (Format &format, const cone::Weights::Sides &sides)
  {
    const auto [left, right] = sides;
    const bool on_left = left < right;
    const double all = static_cast<double> (columns), longer = std::max (left, right);
    auto added = static_cast<int64_t> (std::ceil (all * std::abs (left - right) / (left + right)));
    const auto reach = [&] {
      return weights.reach (on_left ? -static_cast<double> (added) : all + static_cast<double> (added));
    };
    while (added < 8 * static_cast<int64_t> (columns) && reach () < longer)
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

  void find_lean (const Format &format)
  {
    double most = 0;
    for (const auto &view : weights.views ()) {
      step_unless_cancelled ();
      most = std::max (most, std::abs (std::asin (view.column.z / length (view.column))));
    }
    if (std::tan (most) * static_cast<double> (format.extent (Axis::column)) > 1)
      notes.push_back (text ("the detector's rows are tilted by up to %.3g degrees against the plane of rotation; "
                             "'ramp-filter' filters along them, which blurs details far from the axis",
                             degrees (most)));
  }
};

} // namespace

SINO_REGISTER (ConeWeight)

} // namespace sino::cone_weight
