// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes attenuation proportional to the length of the ray in the material, although the beam has many energies.
#include "base/error.hpp"
#include "filters/beam-hardening/looker.hpp"
#include "filters/beam-hardening/polychromatic.hpp"
#include "filters/beam-hardening/wants.hpp"
#include "filters/beam-hardening/wedge.hpp"
#include "filters/point/values.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <cmath>
#include <optional>

namespace sino::correct_beam_hardening {
namespace {
using namespace beam_hardening;

class Corrector final : public point::ValueWorker
{
public:
  Corrector (const Replica &replica, Curve c) : ValueWorker (replica.cpu), curve (std::move (c)) {}

protected:
  int64_t make (const float *x, const float *, int64_t n, std::byte *out) const override
  {
    curve.apply (x, n, reinterpret_cast<float *> (out));
    return 0;
  }

private:
  const Curve curve;
};

class CorrectBeamHardening final : public PointFilter, public Surveys
{
public:
  static constexpr Info info{"correct-beam-hardening", "Make attenuation proportional to the length of the ray"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  std::string coefficients, material, wedge;
  double highest = 0, energy = 0;
  TubeSettings tube;
  int rows = 8;

  static constexpr auto properties = joined (
      std::array{
          prop<&CorrectBeamHardening::coefficients> (
              "coefficients", "Coefficients of x, x^2, x^3 and so on, where x is the attenuation, as in 1,0.05"),
          prop<&CorrectBeamHardening::highest> (
              "highest", "Attenuation above which coefficients= continue as a straight line; 0: nowhere",
              Range{0, 1e6}),
          prop<&CorrectBeamHardening::material> (
              "material", "Material of the object, as a name (steel) or a formula (Al2O3), with voltage="),
          prop<&CorrectBeamHardening::wedge> (
              "wedge", "Text file of a measured step wedge: thickness, and attenuation or transmission"),
      },
      group<&CorrectBeamHardening::tube> (),
      std::array{
          prop<&CorrectBeamHardening::energy> (
              "energy", "Energy in keV to which values belong after material=; 0: that of thin objects",
              Range{0, greatest_energy}),
          prop<&CorrectBeamHardening::rows> (
              "rows", "Number of detector rows to examine, if the correction is found from the scan", Range{1, 64}),
      });

  std::vector<FileStamp> files () const override { return find_stamps ({wedge}); }
  bool alters () const override { return !curve.changes_nothing () || (finds () && !surveyed); }
  std::vector<std::string> warnings () const override { return said; }
  Messages::Level level_of_warnings () const override
  {
    return found.doubt.empty () ? Messages::Level::info : Messages::Level::warning;
  }
  std::string doubt () const override { return found.doubt; }
  std::string remark (const Device &, int) const override { return remarked; }

  std::vector<Rows> survey (const Format &) const override
  {
    std::vector<Rows> bands;
    if (finds () && !surveyed && scan)
      for (const auto row : scan->rows ())
        bands.push_back ({row, row + 1});
    return bands;
  }
  std::unique_ptr<Worker> look (const Replica &replica) override
  {
    return std::make_unique<Looker> (replica, *scan, *findings);
  }
  void survey_memory (const Sizing &sizing, Bill &bill) const override { Looker::memory (*scan, sizing, bill); }
  bool leaves_out_rows () const override { return true; }
  void miss (const std::string &why) override { findings->missed = why; }

  Format negotiate (std::span<const Format *const> inputs) override;
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<Corrector> (replica, curve);
  }

private:
  Curve curve = Curve::polynomial ({1}, 0);
  std::shared_ptr<const RoughScan> scan;
  Learned<Findings> findings;
  Found found;
  bool surveyed = false;
  std::vector<std::string> said;
  std::string remarked; // for the provenance

  bool finds () const { return coefficients.empty () && material.empty () && wedge.empty (); }
  void check_properties () const;
  void take_coefficients ();
  void compute ();
  void find (const Format &in);
};

void CorrectBeamHardening::check_properties () const
{
  if (!coefficients.empty () + !material.empty () + !wedge.empty () > 1)
    fail (SINO_ERROR_BAD_PROPERTY,
          "coefficients=, material= and wedge= each give the correction: give only one of them, or none to find it "
          "from the scan");
  if (highest > 0 && coefficients.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "highest=%g belongs to coefficients=: give these, too, or leave it out", highest);
  if (material.empty () && (tube.voltage > 0 || !tube.filter.empty () || energy > 0))
    fail (SINO_ERROR_BAD_PROPERTY, "voltage=, filter= and energy= belong to material=: give this, too, or leave them "
                                   "out");
  check_energy (energy);
}

// The curve that the user gives. Where it would fall, it goes on as a straight line.
void CorrectBeamHardening::take_coefficients ()
{
  const auto list = parse_coefficients (coefficients);
  check_rises (list, highest, coefficients);
  const auto fall = highest > 0 ? std::nullopt : place_of_fall (list);
  curve = Curve::polynomial (list, fall ? most_attenuation : highest);
  if (fall)
    said.push_back (text ("the curve of coefficients=%s falls where the attenuation rises above %.3g: it is a straight "
                          "line above %g, or above highest=, if this is given",
                          coefficients.c_str (), *fall, most_attenuation));
}

// The curve of a material.
void CorrectBeamHardening::compute ()
{
  auto object = parse_material ("material", material);
  object.density = 1; // the curve is the same for any density
  const auto spectrum = tube.spectrum ();
  const double thin = spectrum.mean (object), one = energy > 0 ? object.attenuation (energy) : thin;
  curve = linearized (Polychromatic (spectrum, object), one);
  remarked = energy > 0 ? text ("attenuation at %g keV", energy)
                        : text ("attenuation at %.1f keV, as of thin objects", spectrum.effective_energy (object));
  said.push_back ("values are now " + remarked);
}

// The curve that makes the object flat.
void CorrectBeamHardening::find (const Format &in)
{
  if (in.geometry && in.geometry->views.empty () && in.geometry->axis.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "the correction is found from slices, and the rotation axis of the scan is unknown: put 'find-axis' before "
          "this node, give axis= to '%s', or give coefficients=, material= or wedge=",
          in.source.c_str ());
  auto why = findings->missed;
  if (why.empty () && findings->rows.empty ())
    try {
      scan = std::make_shared<const RoughScan> (in, rows);
    } catch (const Error &bad) {
      why = bad.what ();
    }
  if (why.empty () && findings->rows.empty ())
    return;
  surveyed = true;
  found = correction_of (*findings, why);
  curve = Curve::polynomial (found.coefficients, found.highest);
  said = {found.doubt.empty () ? found.said : found.doubt};
  remarked = found.said;
}

Format CorrectBeamHardening::negotiate (std::span<const Format *const> inputs)
{
  Format format = *inputs[0];
  want_attenuation (format);
  check_properties ();
  said.clear ();
  remarked.clear ();
  found = {};
  surveyed = false;
  if (!coefficients.empty ())
    take_coefficients ();
  else if (!material.empty ())
    compute ();
  else if (!wedge.empty ())
    curve = wedge_curve (wedge);
  else
    find (format);
  if (!alters ())
    return format;
  format.mark_changed (info.name);
  format.values = Meaning::attenuation;
  return format;
}

SINO_REGISTER (CorrectBeamHardening)

} // namespace

} // namespace sino::correct_beam_hardening
