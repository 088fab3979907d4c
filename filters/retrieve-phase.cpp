// SPDX-License-Identifier: LGPL-3.0-or-later
// Retrieves the phase, or the attenuation without phase effects, from projections taken at one distance behind the
// sample.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "filters/reconstruct/device.hpp"
#include "filters/retrieve-phase/opencl/family.hpp"
#include "filters/retrieve-phase/opencl/maker.hpp"
#include "filters/retrieve-phase/opencl/retriever.hpp"
#include "filters/retrieve-phase/retriever.hpp"
#include "glue/facets.hpp"
#include "glue/module.hpp"
#include "glue/several.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sino::retrieve_phase {
namespace {

// Allowed range of a length or an energy, and its name and unit for messages.
struct Limits {
  const char *name, *unit;
  double least, most;
  const char *range, *missing;
};
constexpr Limits energy_limits{.name = "energy",
                               .unit = "keV",
                               .least = 1,
                               .most = 1000,
                               .range = "1 to 1000",
                               .missing = "the energy of the X-rays in keV"},
    distance_limits{.name = "distance",
                    .unit = "m",
                    .least = 1e-6,
                    .most = 1000,
                    .range = "1e-6 to 1000",
                    .missing = "the distance of sample and detector in m"};

class RetrievePhase final : public Task, public SeveralAtOnce, public Estimates
{
public:
  static constexpr Info info{"retrieve-phase",
                             "Retrieve phase, or attenuation without fringes, from projections at one distance"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32},
                                       .integers = "put 'flat-field absorption=false' before it"};

  Method method = Method::paganin;
  double energy = 0, distance = 0, pixel_size = 0, delta_beta = 0, regularization_rate = 2.5, thresholding_rate = 0.1;
  families::Use opencl{family ()};

  static constexpr Nick<Method> methods[] = {{Method::paganin, "paganin"}, {Method::bronnikov_aided, "bronnikov-aided"},
                                             {Method::tie, "tie"},         {Method::ctf, "ctf"},
                                             {Method::qp, "qp"},           {Method::qp2, "qp2"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&RetrievePhase::method> (
              "method", "paganin, bronnikov-aided: give attenuation; tie, ctf, qp, qp2: give phase, in radians",
              methods),
          prop<&RetrievePhase::energy> ("energy", "Energy of the X-rays in keV, 1 to 1000; 0: from the scan"),
          prop<&RetrievePhase::distance> ("distance",
                                          "Distance from the sample to the detector in m; 0: from the scan"),
          prop<&RetrievePhase::pixel_size> ("pixel-size",
                                            "Size of a detector pixel in m; 0: from the scan, where it is in mm"),
          prop<&RetrievePhase::delta_beta> ("delta-beta",
                                            "Ratio of delta to beta of the material; 0: 10 to the power of "
                                            "regularization-rate, except for paganin and bronnikov-aided"),
          prop<&RetrievePhase::regularization_rate> (
              "regularization-rate", "Decimal logarithm of delta / beta, if delta-beta is 0", Range{0, 10}),
          prop<&RetrievePhase::thresholding_rate> (
              "thresholding-rate",
              "Distance from a zero of the transfer function within which qp and qp2 ignore frequencies", Range{0, 1}),
      },
      kernel_properties<&RetrievePhase::opencl> ());

  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<std::string> warnings () const override { return notes; }

  Rows demand (size_t, const Format &input, const Rows &) const override { return {0, input.rows ()}; }
  // A window around them. It is filtered like a whole image, with the values of its border beyond it.
  Rows estimate_demand (const Rows &rows) const override
  {
    if (!has_window () || rows.size () > most_estimated)
      return {};
    const auto first = (rows.begin + rows.end - window.rows) / 2;
    const auto begin = std::clamp<int64_t> (first, 0, plane.rows - window.rows);
    return {begin, begin + window.rows};
  }
  void let_estimate (bool may) override
  {
    if (std::exchange (estimating, may) != may)
      responses = nullptr, filter = nullptr;
  }
  // Up to this number, threads that have ended a loop of one projection find work in those of others.
  int blocks_at_once (const Device &, int threads) const override { return threads > few_threads ? 3 : 1; }

  const families::Use *kernels () const override { return &opencl; }
  double seconds (const Device &device, int threads) const override
  {
    const auto width = static_cast<double> (plane.width);
    const reconstruct::Work work{plane.columns, static_cast<int64_t> (images), plane.rows, 1, 1};
    if (on_device (device)) // images are read and written once, frequencies twice
      if (const auto rate = reconstruct::machine_of (device, threads, work).gpu.bytes; rate > 0)
        return images * static_cast<double> (plane.rows) * (8 * static_cast<double> (plane.columns) + 16 * width) /
               rate;
    return 4e-9 * images * width * static_cast<double> (plane.height) / threads; // measured
  }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    const auto &size = size_now ();
    const auto image = static_cast<size_t> (size.rows * size.columns) * sizeof (float);
    const auto block = static_cast<int64_t> (sizing.input_block[0] / image);
    if (on_device (sizing.device)) {
      add_copies (sizing, bill);
      return retrieval_memory (as_opencl (sizing.device), opencl.choice (sizing.device, problem_now ()).setting, size,
                               block, bill);
    }
    PlaneFilter::memory (size, static_cast<size_t> (sizing.threads), static_cast<size_t> (at_once),
                         PlaneFilter::together (size, sizing.threads, block), bill);
  }
  void shared_memory (Bill &bill) const override { PlaneFilter::shared_memory (plane, bill); }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    const auto &size = size_now ();
    if (!responses)
      responses = std::make_shared<const std::vector<float>> (responses_of (
          size, [this] (double squared) { return optics.response (squared); }, replica.cpu));
    if (on_device (replica.device)) {
      const auto problem = problem_now ();
      return retriever (replica,
                        make_retrieval ({.device = as_opencl (replica.device),
                                         .setting = opencl.choice (replica.device, problem).setting,
                                         .problem = problem,
                                         .plane = size,
                                         .responses = *responses,
                                         .memory = replica.memory}),
                        !estimating);
    }
    if (!filter)
      filter = std::make_shared<const PlaneFilter> (size, responses);
    return retriever (replica, {method, filter, at_once, !estimating});
  }

private:
  Optics optics{};
  Plane plane{1, 1, 0}, window = plane; // window: of rows for an estimate; the plane itself if there is none
  double images = 0;
  std::vector<std::string> notes;
  bool estimating = false;
  // shared by the replicas; of size_now ()
  std::shared_ptr<const std::vector<float>> responses;
  std::shared_ptr<const PlaneFilter> filter;

  static constexpr int64_t most_estimated = 16; // rows

  bool has_window () const { return window.rows < plane.rows; }
  const Plane &size_now () const { return estimating ? window : plane; }
  families::Problem problem_now () const { return problem_of (method, size_now ()).with_lanes (1); }
  // At a distance of 8 lengths of the point spread, a half plane adds only 1/6000.
  double reach () const { return optics.oscillates () ? HUGE_VAL : 16 * optics.blur (); }
  Plane window_for (const Format &format) const;

  void refuse_magnified (const Format &format) const;
  double settled (double given, std::optional<double> of_scan, const Limits &limits);
  double pixel (const Format &format);
  void note_sizes (const Format &format);
};

// Throws for a cone beam without distance=: in some files the distance is that of sample and detector, in others
// divided by the magnification.
void RetrievePhase::refuse_magnified (const Format &format) const
{
  if (distance != 0 || !format.geometry || !format.geometry->distance)
    return;
  if (std::ranges::any_of (format.geometry->views, [] (const View &view) { return !view.parallel; }))
    fail (SINO_ERROR_BAD_PROPERTY,
          "distance= is missing: the scan gives %g m, but has a cone beam: give the distance of sample and detector in "
          "m, divided by the magnification",
          *format.geometry->distance);
}

// The given value, or else that of the scan.
double RetrievePhase::settled (double given, std::optional<double> of_scan, const Limits &limits)
{
  const auto &[name, unit, least, most, range, missing] = limits;
  const auto value = given != 0 ? given : of_scan.value_or (0);
  const bool plausible = value >= least && value <= most;
  if (value == 0)
    fail (SINO_ERROR_BAD_PROPERTY, "%s= is missing: give %s", name, missing);
  if (!plausible && given == 0)
    fail (SINO_ERROR_BAD_PROPERTY, "the scan's %s is %g %s, but must be from %s: set %s=", name, value, unit, range,
          name);
  if (!plausible)
    fail (SINO_ERROR_BAD_PROPERTY, "%s=%g must be in %s and from %s", name, value, unit, range);
  if (given == 0)
    notes.push_back (text ("the scan gives %s=%g (%s)", name, value, unit));
  return value;
}

// Size of a pixel in m.
double RetrievePhase::pixel (const Format &format)
{
  const auto in_range = [] (double size, double least) { return size >= least && size <= 1e-3; };
  if (pixel_size != 0) {
    if (!in_range (pixel_size, 1e-9))
      fail (SINO_ERROR_BAD_PROPERTY, "pixel-size=%g must be in m and from 1e-9 to 1e-3: a micrometre is 1e-6",
            pixel_size);
    return pixel_size;
  }
  if (!format.geometry || !format.geometry->pixel_size)
    fail (SINO_ERROR_BAD_PROPERTY, "the scan does not give the size of a pixel: set pixel-size= in m, as 0.65e-6");
  const double own = *format.geometry->pixel_size, size = own * 1e-3;
  if (!in_range (size, 2e-8)) // smaller values are probably in m
    fail (SINO_ERROR_BAD_PROPERTY, "the scan's pixel size of %g is too small or too large for mm: set pixel-size= in m",
          own);
  notes.push_back (text ("the scan's pixel size %g is assumed to be in mm: pixel-size=%g (m)", own, size));
  return size;
}

void RetrievePhase::note_sizes (const Format &format)
{
  if (format.geometry && !format.geometry->views.empty ())
    notes.emplace_back ("in a cone beam with magnification M, distance is the distance of sample and detector divided "
                        "by M, and pixel-size is that of the detector divided by M");
  if (optics.oscillates ())
    return;
  if (optics.ratio * optics.turn / 4 < 0.01)
    notes.push_back (text ("the finest details change by only %.2g %%: are energy= (keV), distance= (m), pixel-size= "
                           "(m) and delta-beta= right?",
                           25 * optics.ratio * optics.turn));
  if (const auto width = static_cast<double> (std::max (format.rows (), format.line ())); optics.blur () > width / 4)
    notes.push_back (text ("the filter blurs over %.3g of %.0f pixels: are energy= (keV), distance= (m), pixel-size= "
                           "(m) and delta-beta= right?",
                           optics.blur (), width));
}

// The rows of an estimate have others within three lengths of the point spread, as far as there are any. Beyond these,
// values have 5 % of their influence.
Plane RetrievePhase::window_for (const Format &format) const
{
  const double rows = most_estimated + 2 * std::ceil (3 * optics.blur ());
  if (optics.oscillates () || rows >= static_cast<double> (format.rows ()))
    return plane;
  return {static_cast<int64_t> (rows), format.line (), reach ()};
}

Format RetrievePhase::negotiate (std::span<const Format *const> inputs)
{
  Format format = *inputs[0];
  notes.clear ();
  want_unfiltered (format);
  if (format.companions.flats)
    fail (SINO_ERROR_BAD_FORMAT,
          "wants transmission, got counts, because the stream has flats: put 'flat-field absorption=false' before it");
  const auto row_step = format.dim (Axis::row).step, column_step = format.dim (Axis::column).step;
  if (std::abs (row_step) != std::abs (column_step))
    fail (SINO_ERROR_BAD_FORMAT,
          "the stream has a step of %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT
          " columns, but fringes are round: leave the step out",
          row_step, column_step);
  refuse_magnified (format);
  const double kev = settled (energy, format.geometry ? format.geometry->energy : std::nullopt, energy_limits),
               metres = settled (distance, format.geometry ? format.geometry->distance : std::nullopt, distance_limits);
  const bool wants_ratio = method == Method::paganin || method == Method::bronnikov_aided;
  if (delta_beta == 0 && wants_ratio)
    fail (SINO_ERROR_BAD_PROPERTY, "delta-beta= is missing: give the ratio of delta to beta, such as 1400 for water "
                                   "at 20 keV");
  if (delta_beta != 0 && !(delta_beta >= 1e-3 && delta_beta <= 1e10))
    fail (SINO_ERROR_BAD_PROPERTY, "delta-beta=%g: give a ratio from 0.001 to 1e10", delta_beta);

  const double size = pixel (format), wavelength = 1.2398419843320026e-9 / kev; // h c = 12.398 keV angstrom
  optics = {.method = method,
            .turn = std::numbers::pi * wavelength * metres / (size * size),
            .ratio = delta_beta != 0 ? delta_beta : std::pow (10, regularization_rate),
            .threshold = thresholding_rate};
  note_sizes (format);
  plane = Plane (format.rows (), format.line (), reach ());
  window = window_for (format);
  images = static_cast<double> (format.angles ());
  filter = nullptr;
  responses = nullptr;
  opencl.negotiated (problem_of (method, plane));
  format.negative = true;
  format.mark_changed (info.name);
  return format;
}

} // namespace

SINO_REGISTER (RetrievePhase)

} // namespace sino::retrieve_phase
