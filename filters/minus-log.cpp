// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts transmission to attenuation, for data without darks and flats.
#include "kernels/minus-log/minus-log.hpp"
#include "base/error.hpp"
#include "families/choice.hpp"
#include "filters/minus-log/family.hpp"
#include "filters/point/limited.hpp"
#include "filters/point/values.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"

namespace sino::minus_log {
namespace {

struct Settings {
  float air, least;
};

// Counts the values that workers clamped.
struct Tally {
  Counters &counters;
  std::shared_ptr<point::Limited> limited; // shared by the replicas

  void operator() (int64_t clamped, int64_t values) const
  {
    counters.add ("clamped", clamped);
    limited->add (clamped, values);
  }
};

class Logarithm final : public point::ValueWorker
{
public:
  Logarithm (const Replica &replica, const Settings &s, Tally t)
      : ValueWorker (replica.cpu), settings (s), tally (std::move (t))
  {
  }

protected:
  int64_t make (const float *x, const float *, int64_t n, std::byte *out) const override
  {
    return minus_log::minus_log (x, n, settings.air, settings.least, reinterpret_cast<float *> (out));
  }
  void count (int64_t clamped, int64_t values) override { tally (clamped, values); }

private:
  const Settings settings;
  const Tally tally;
};

class MinusLog final : public PointFilter
{
public:
  static constexpr Info info{"minus-log", "Turn transmission into attenuation with -ln"};
  static constexpr Signature signature{.takes = {scan_kinds, any_element}, .gives = {.elements = Element::f32}};

  double air = 1, least = 1e-6;
  families::Use opencl{minus_log::family ()};

  static constexpr auto properties = joined (
      std::array{
          prop<&MinusLog::air> ("air", "Value without sample, by which all values are divided: 1 for transmission",
                                Range{1e-30, 1e30}),
          prop<&MinusLog::least> ("least",
                                  "Least transmission; smaller values, also zero and negative ones, are set to it",
                                  Range{1e-30, 1}),
      },
      kernel_properties<&MinusLog::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    want_unfiltered (format);
    if (format.values == Meaning::attenuation || format.values == Meaning::emission)
      fail (SINO_ERROR_BAD_FORMAT,
            "wants transmission, got %s, set by values= of '%s' or by a node before this one: leave this node out",
            name_of (format.values), format.source.c_str ());
    if (air == 1 && format.companions.flats)
      fail (SINO_ERROR_BAD_FORMAT, "wants transmission, got counts, because the stream has flats: use 'flat-field' "
                                   "instead of this node, or set air= to the counts without sample");
    if (air == 1 && (format.element == Element::u8 || format.element == Element::u16))
      fail (SINO_ERROR_BAD_FORMAT, "wants transmission, got %s, which are %s: set air= to the %s without sample%s",
            format.describe ().c_str (), format.values == Meaning::transmission ? "a multiple of it" : "counts",
            format.values == Meaning::transmission ? "value" : "counts",
            format.values == Meaning::transmission ? "" : ", or use 'flat-field' instead of this node");
    opencl.negotiated (minus_log::problem_of (format.element));
    format.element = Element::f32;
    format.mark_changed (info.name);
    format.values = Meaning::attenuation;
    limited = nullptr;
    return format;
  }

  bool keeps_noise () const override { return true; }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!limited)
      limited = std::make_shared<point::Limited> (replica.messages);
    const Settings settings{static_cast<float> (air), static_cast<float> (least)};
    const Tally tally{replica.counters, limited};
    if (!on_device (replica.device))
      return std::make_unique<Logarithm> (replica, settings, tally);
    auto worker = std::make_unique<point::OpenclValueWorker> (
        replica, minus_log::family (), opencl.choice (replica.device, 1).setting, opencl.problem (), tally);
    worker->values.take (cl_float{settings.air}, cl_float{settings.least});
    return worker;
  }

  void finish () override
  {
    if (limited)
      limited->tell ("values are below the least transmission, and were set to it: is the input transmission, as from "
                     "'flat-field absorption=false'?");
  }

private:
  std::shared_ptr<point::Limited> limited; // shared by the replicas
};

} // namespace

SINO_REGISTER (MinusLog)

} // namespace sino::minus_log
