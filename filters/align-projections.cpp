// SPDX-License-Identifier: LGPL-3.0-or-later
// Moves measured projections onto computed ones, because source, stage or sample drifted during the scan.
#include "base/error.hpp"
#include "filters/align-projections/aligner.hpp"
#include "filters/interpolate-metal/wants.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"

namespace sino::align_projections {
namespace {

using move_pixels::Interpolation, move_pixels::interpolations;

class AlignProjections final : public sino::Task, public Holds
{
public:
  static constexpr Info info{"align-projections", "Move projections that drifted onto those computed from slices"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32},
                                       .integers = "put 'flat-field' before it"};

  Along along = Along::both;
  double most = 20;
  int smooth = 0;
  Interpolation interpolation = Interpolation::cubic;

  static constexpr Nick<Along> ways[] = {{Along::both, "both"}, {Along::columns, "columns"}, {Along::rows, "rows"}};
  static constexpr Property properties[] = {
      prop<&AlignProjections::along> ("along", "Whether projections are moved along columns, rows or both", ways),
      prop<&AlignProjections::most> ("most", "Largest displacement that is believed, in pixels", Range{0.1, 1e4}),
      prop<&AlignProjections::smooth> (
          "smooth",
          "Projections on either side, through whose displacements a line is laid, for a drift that is slow; 0: each "
          "projection is moved by its own",
          Range{0, 10000}),
      prop<&AlignProjections::interpolation> ("interpolation", "linear, or a cubic spline through all pixels",
                                              interpolations),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"computed"}};
    return ports;
  }

  Format negotiate (std::span<const Format *const> formats) override
  {
    const auto &data = *formats[data_port];
    interpolate_metal::want_attenuation (data);
    if (data.companions.any ())
      fail (SINO_ERROR_BAD_FORMAT, "moves each projection by another amount, and darks and flats cannot follow: put "
                                   "'flat-field' before it");
    want_alike ("computed", *formats[computed_port], "data", data);
    if (data.line () < least_values || (along == Along::rows && data.rows () < least_values))
      fail (SINO_ERROR_BAD_FORMAT,
            "wants at least %" G_GINT64_FORMAT " columns, and as many rows for along=rows, got %s", least_values,
            data.describe ().c_str ());
    axes = data.rows () < least_values ? Along::columns : along;
    settings = {.job = {.size = {data.rows (), data.line ()},
                        .along = axes,
                        .most = most,
                        .parallel = !data.geometry || data.geometry->views.empty (),
                        .edge = edge_of (data)},
                .smooth = std::min<int64_t> (smooth, data.angles ()),
                .interpolation = interpolation,
                .closing = closing_of (data)};
    angles = data.angles ();
    tally = nullptr;
    Format format = data;
    format.mark_smoothed (info.name);
    format.values = data.values;
    return format;
  }

  bool holds_back (size_t) const override { return smooth > 0; }
  Rows demand (size_t, const Format &input, const Rows &) const override { return {0, input.rows ()}; }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "displacements", Tally::bytes (angles)); }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    Aligner::memory (settings, sizing, bill);
    add_bytes (bill, "displacements of a worker", 2 * static_cast<size_t> (angles) * sizeof (Found));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!tally)
      tally = std::make_shared<Tally> (replica.messages, axes, angles, smooth > 0);
    return std::make_unique<Aligner> (replica, settings, tally);
  }

  void finish () override
  {
    if (tally)
      tally->tell ();
  }

private:
  // Rays of the outermost rows change their height, within the width that the detector sees, by this many rows.
  static int64_t edge_of (const Format &data)
  {
    if (!data.geometry || data.geometry->views.empty () || data.geometry->views[0].parallel)
      return 0;
    const auto &view = data.geometry->views[0];
    const auto columns = static_cast<double> (data.line ()), rows = static_cast<double> (data.rows ());
    const double slope = columns / 2 * length (view.column) / distances_of (view).detector;
    return std::min (static_cast<int64_t> (std::ceil (rows / 2 * slope)), data.rows () / 4);
  }

  Settings settings{};
  int64_t angles = 0;
  Along axes = Along::both; // those that have enough pixels
  std::shared_ptr<Tally> tally;
};

SINO_REGISTER (AlignProjections)

} // namespace

} // namespace sino::align_projections
