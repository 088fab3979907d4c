// SPDX-License-Identifier: LGPL-3.0-or-later
// Transmission to attenuation, where no darks and flats are to be taken into account.
#include "kernels/minus-log/minus-log.hpp"
#include "base/error.hpp"
#include "filters/point/limited.hpp"
#include "filters/point/values.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <cmath>

namespace {
using namespace sino;

struct Settings {
  float air, least;
};

class Logarithm final : public point::ValueWorker
{
public:
  Logarithm (const Replica &replica, const Settings &s, std::shared_ptr<point::Limited> l)
      : ValueWorker (replica.cpu), counters (replica.counters), settings (s), limited (std::move (l))
  {
  }

protected:
  int64_t make (const float *x, const float *, int64_t n, std::byte *out) const override
  {
    return minus_log::minus_log (x, n, settings.air, settings.least, reinterpret_cast<float *> (out));
  }
  void count (int64_t clamped, int64_t values) override
  {
    counters.add ("clamped", clamped);
    limited->add (clamped, values);
  }

private:
  Counters &counters;
  const Settings settings;
  const std::shared_ptr<point::Limited> limited;
};

class MinusLog final : public PointFilter
{
public:
  static constexpr Info info{"minus-log", "Turn transmission into attenuation, by -ln"};

  double air = 1, least = 1e-6;

  static constexpr Property properties[] = {
      prop<&MinusLog::air> ("air", "The value without sample, by which all are divided: 1 for transmission",
                            Range{1e-30, 1e30}),
      prop<&MinusLog::least> ("least", "The transmission that smaller ones, zeros and negative ones are taken for",
                              Range{1e-30, 1}),
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    if (format.kind () != Kind::projections && format.kind () != Kind::sinograms)
      fail (SINO_ERROR_BAD_FORMAT, "wants projections or sinograms, got %s: put this node before the reconstruction",
            format.describe ().c_str ());
    if (!format.filtered_by.empty ())
      fail (SINO_ERROR_BAD_FORMAT, "'%s' has filtered the rows already: put this node before it",
            format.filtered_by.c_str ());
    if (air == 1 && format.companions.flats)
      fail (SINO_ERROR_BAD_FORMAT, "wants transmission, got counts, for they come with flats: put 'flat-field' in the "
                                   "place of this node, or set air= to the counts without sample");
    if (air == 1 && (format.element == Element::u8 || format.element == Element::u16))
      fail (SINO_ERROR_BAD_FORMAT,
            "wants transmission, got %s, which are counts: set air= to the counts without sample, "
            "or put 'flat-field' in the place of this node",
            format.describe ().c_str ());
    format.element = Element::f32;
    format.mark_changed (info.name);
    limited = nullptr;
    return format;
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!limited)
      limited = std::make_shared<point::Limited> (replica.messages);
    return std::make_unique<Logarithm> (replica, Settings{static_cast<float> (air), static_cast<float> (least)},
                                        limited);
  }

  void finish () override
  {
    if (limited)
      limited->tell ("values are below the least transmission, and were taken for it: is the input transmission, as "
                     "'flat-field absorption=false' gives it?");
  }

private:
  std::shared_ptr<point::Limited> limited; // shared by the replicas
};

} // namespace

SINO_REGISTER (MinusLog)
