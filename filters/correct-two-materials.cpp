// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects beam hardening by two materials, of which one was found in slices.
#include "base/error.hpp"
#include "filters/beam-hardening/polychromatic.hpp"
#include "filters/beam-hardening/wants.hpp"
#include "filters/point/values.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"

namespace sino::correct_two_materials {
namespace {
using namespace beam_hardening;

enum Port : size_t { data_port, dense_port };

class Corrector final : public point::ValueWorker
{
public:
  Corrector (const Replica &replica, std::shared_ptr<const TwoMaterials> t, double u)
      : ValueWorker (replica.cpu), table (std::move (t)), unit (static_cast<float> (u))
  {
  }

protected:
  int64_t make (const float *x, const float *y, int64_t n, std::byte *out) const override
  {
    auto *to = reinterpret_cast<float *> (out);
    for (int64_t i = 0; i < n; i++)
      to[i] = table->at (x[i], y[i] * unit);
    return 0;
  }

private:
  const std::shared_ptr<const TwoMaterials> table;
  const float unit; // cm
};

class CorrectTwoMaterials final : public PointFilter
{
public:
  static constexpr Info info{"correct-two-materials", "Correct beam hardening by two materials, such as bone in water"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  std::string material = "water", dense;
  double energy = 0, unit = 0;
  TubeSettings tube;

  static constexpr auto properties = joined (
      std::array{
          prop<&CorrectTwoMaterials::material> ("material", "Material of the object, as for correct-beam-hardening"),
          prop<&CorrectTwoMaterials::dense> (
              "dense", "Material whose lengths are the input 'lengths', with its density if it has no name, as in "
                       "CaCO3@2.7"),
      },
      group<&CorrectTwoMaterials::tube> (),
      std::array{
          prop<&CorrectTwoMaterials::energy> (
              "energy", "Energy in keV to which values belong afterwards; 0: that of thin objects of each material",
              Range{0, greatest_energy}),
          prop<&CorrectTwoMaterials::unit> ("unit", "Unit of the lengths, in mm; 0: that of the scan's pixel size",
                                            Range{0, 1e9}),
      });

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"lengths"}};
    return ports;
  }

  // Both inputs need the same lanes.
  int wanted_lanes (const Device &, int) const override { return 1; }
  bool takes_lanes () const override { return false; }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "table of both materials", TwoMaterials::bytes); }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[data_port];
    const auto &other = *inputs[dense_port];
    want_attenuation (format);
    want_alike ("lengths", other, "data", format);
    first = parse_material ("material", material);
    first.density = 1; // no length of it is known, so that its density does not matter
    if (dense.empty ())
      fail (SINO_ERROR_BAD_PROPERTY,
            "give dense=, the material whose lengths are the input 'lengths', as in dense=bone");
    second = parse_material ("dense", dense);
    if (second.density == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "dense=%s: give its density in g/cm^3, as in dense=%s@2.5", dense.c_str (),
            dense.c_str ());
    spectrum = tube.spectrum ();
    check_energy (energy);
    find_unit (other);
    table = nullptr;
    format.companions = {};
    format.mark_changed (info.name);
    format.values = Meaning::attenuation;
    return format;
  }

  std::string remark (const Device &, int) const override { return words (); }
  std::vector<std::string> warnings () const override { return said; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!table) {
      const auto at = [&] (const Material &each) {
        return energy > 0 ? each.attenuation (energy) : spectrum.mean (each);
      };
      table = std::make_shared<const TwoMaterials> (Polychromatic (spectrum, first), Polychromatic (spectrum, second),
                                                    at (first), at (second));
    }
    return std::make_unique<Corrector> (replica, table, 0.1 * millimetres);
  }

private:
  Material first, second;
  Spectrum spectrum;
  std::shared_ptr<const TwoMaterials> table; // shared by the replicas
  double millimetres = 1;                    // the unit of the lengths
  std::vector<std::string> said;

  void find_unit (const Format &lengths)
  {
    const auto *geometry = lengths.geometry.get ();
    const bool sized = geometry && geometry->pixel_size, known = sized && geometry->in_mm;
    said.clear ();
    if (unit == 0 && !sized)
      fail (SINO_ERROR_BAD_FORMAT,
            "the unit of the lengths is unknown, because the scan has no pixel size, and 'forward-project' counts in "
            "columns: give the source pixel-size= in mm, or give unit=, the width of a column at the axis in mm");
    if (unit > 0 && unit < 1e-9)
      fail (SINO_ERROR_BAD_PROPERTY, "unit=%g must be at least 1e-9", unit);
    if (unit == 0 && !known)
      said.push_back (
          text ("it is not known whether the lengths are in mm, as is assumed because the scan has the pixel "
                "size %g: give unit=1 if they are, otherwise the size of their unit in mm, as unit=0.001",
                *geometry->pixel_size));
    if (unit > 0 && unit != 1 && known)
      said.push_back (
          text ("unit=%g is taken, although the scan's lengths are in mm: leave it out, unless the values of "
                "input 'lengths' have another unit",
                unit));
    millimetres = unit > 0 ? unit : 1;
  }

  std::string words () const
  {
    if (energy > 0)
      return text ("attenuation at %g keV", energy);
    return text ("attenuation of %s at %.1f keV and of %s at %.1f keV, as of thin objects", material.c_str (),
                 spectrum.effective_energy (first), dense.c_str (), spectrum.effective_energy (second));
  }
};

SINO_REGISTER (CorrectTwoMaterials)

} // namespace

} // namespace sino::correct_two_materials
