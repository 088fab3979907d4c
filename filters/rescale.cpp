// SPDX-License-Identifier: LGPL-3.0-or-later
// Maps values between two limits to the full range of integers, as image files hold them.
#include "kernels/rescale/rescale.hpp"
#include "base/error.hpp"
#include "device/devices.hpp"
#include "families/choice.hpp"
#include "filters/point/filter-in-doubles.hpp"
#include "filters/point/limited.hpp"
#include "filters/point/values.hpp"
#include "filters/rescale/family.hpp"
#include "filters/rescale/limits.hpp"
#include "glue/composite.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/workers/host-input.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <cmath>
#include <optional>

namespace sino::rescale {
namespace {
using rescale::Limits;

enum Port : size_t { data_port, limits_port };
enum class Type { u8, u16, f32 };

// Words that `min` and `max` accept besides numbers.
constexpr char by_percentiles[] = "auto", from_input[] = "input";

// Limits of a worker, and counters of values beyond them.
struct Range {
  Counters &counters;
  Messages &messages;
  const std::optional<double> min, max; // none: taken from the input
  const Element to;
  const std::shared_ptr<point::Limited> limited; // shared by the replicas

  // Values that become 0 and the greatest. `input`: the port `limits`; null: not connected, min and max are set.
  Limits limits (Input *input) const
  {
    if (!input)
      return {*min, *max};
    const Block found = input->pop ();
    if (!found || input->pop ())
      fail (SINO_ERROR_FAILED, "got no limits, or more than once");
    const auto *two = found.as<float> ();
    Limits limits{min.value_or (static_cast<double> (two[0])), max.value_or (static_cast<double> (two[1]))};
    messages.add (text ("%.9g becomes 0, and %.9g becomes %g", limits.min, limits.max, rescale::greatest (to)),
                  Messages::Level::info);
    if (!(limits.max > limits.min)) {
      messages.add (text ("min=%.9g is not below max=%.9g: all values from there upwards become %g", limits.min,
                          limits.max, rescale::greatest (to)));
      limits.max = std::nextafter (limits.min, HUGE_VAL);
    }
    return limits;
  }

  void count (int64_t clipped, int64_t values) const
  {
    counters.add ("clipped", clipped);
    if (min && max) // with percentiles, the share of clipped values is known
      limited->add (clipped, values);
  }
};

class Rescaler final : public point::ValueWorker
{
public:
  Rescaler (const Replica &replica, Range r) : ValueWorker (replica.cpu), range (std::move (r)) {}

  void run (std::span<Input *const> inputs, Output *output) override
  {
    limits = range.limits (inputs[limits_port]);
    ValueWorker::run (inputs.first (1), output);
  }

protected:
  int64_t make (const float *x, const float *, int64_t n, std::byte *out) const override
  {
    return rescale::rescale (x, n, limits, range.to, out);
  }
  void count (int64_t clipped, int64_t values) override { range.count (clipped, values); }

private:
  const Range range;
  Limits limits{};
};

class OnDevice final : public Worker
{
public:
  OnDevice (const Replica &replica, const families::Setting &setting, const families::Problem &problem, Range r)
      : range (std::move (r)), queues (as_opencl (replica.device)), found (queues, replica.memory),
        worker (replica, rescale::family (), setting, problem,
                [this] (int64_t clipped, int64_t values) { range.count (clipped, values); })
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    rescale::take (worker.values, range.limits (found.of (inputs[limits_port])));
    worker.run (inputs.first (1), output);
  }
  void wait () override { worker.wait (); }
  void end () override { worker.end (); }

private:
  const Range range;
  OpenclQueues queues;
  HostInput found;
  point::OpenclValueWorker worker;
};

// The node itself, with limits that another node finds in the whole stream.
class WithPercentiles final : public Composite
{
public:
  WithPercentiles () = default;
  WithPercentiles (const std::string &min, const std::string &max, const char *t, std::string b,
                   const families::Use &kernels)
      : words{min, max}, type (t), between (std::move (b)), variant (kernels.variant), parameters (kernels.parameters)
  {
  }

  Expansion expand (std::span<const Format *const> inputs, const Site &) const override
  {
    rescale::parse_percentiles ("percentiles", between);
    if (inputs[limits_port])
      fail (SINO_ERROR_BAD_PROPERTY,
            "the input 'limits' is connected, but not used: set min=input, max=input, or both");
    Expansion parts;
    parts.parts.push_back ({"percentiles", "percentiles", {{"between", between, "percentiles"}}, nullptr});
    const auto limit = [] (const std::string &word) { return word == by_percentiles ? from_input : word; };
    parts.parts.push_back ({"rescale",
                            "rescale",
                            {{"min", limit (words[0]), "min"},
                             {"max", limit (words[1]), "max"},
                             {"type", type, "type"},
                             {"variant", variant, "variant"},
                             {"variant-parameters", parameters, "variant-parameters"}},
                            nullptr});
    parts.wires = {{0, 1, limits_port}};
    parts.feeds = {{data_port, 0}, {data_port, 1}};
    parts.output = 1;
    parts.why = text ("the limits are percentiles of the whole stream (%s), which is therefore computed twice, or kept",
                      between.c_str ());
    return parts;
  }

private:
  std::array<std::string, 2> words;
  const char *type = "";
  std::string between, variant, parameters;
};

class Rescale final : public point::FilterInDoubles
{
public:
  static constexpr Info info{"rescale", "Map values between two limits to u8, u16, or 0 to 1"};
  static constexpr Signature signature{.takes = {image_kinds, any_element},
                                       .gives = {.elements = Element::u8 | Element::u16 | Element::f32}};

  std::string min = by_percentiles, max = by_percentiles, percentiles = rescale::usual_percentiles;
  Type type = Type::u8;
  families::Use opencl{rescale::family ()};

  static constexpr Nick<Type> types[] = {{Type::u8, "u8"}, {Type::u16, "u16"}, {Type::f32, "f32"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&Rescale::type> ("type", "Element type: u8 (0 to 255), u16 (0 to 65535) or f32 (0 to 1)", types),
          prop<&Rescale::min> (
              "min", "Value that becomes 0; auto: the lower percentile; input: the first number of the input 'limits'"),
          prop<&Rescale::max> ("max", "Value that becomes the greatest; auto: the upper percentile; input: the second "
                                      "number of the input 'limits'"),
          prop<&Rescale::percentiles> ("percentiles", "Percentiles of all values of the stream, for auto"),
      },
      kernel_properties<&Rescale::opencl> ());

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {
        {"data"}, {"limits", true, {Kind::other, Element::f32}, "connect 'percentiles' to it"}};
    return ports;
  }

  const Composite *composite () const override
  {
    if (min != by_percentiles && max != by_percentiles)
      return nullptr;
    parts = WithPercentiles (min, max, types[static_cast<size_t> (type)].nick, percentiles, opencl);
    return &parts;
  }

  Format negotiate (std::span<const Format *const> formats) override
  {
    Format format = *formats[data_port];
    least = number ("min", min);
    greatest = number ("max", max);
    if (least && greatest && *least >= *greatest)
      fail (SINO_ERROR_BAD_PROPERTY, "min=%s is not below max=%s: exchange them, or give other limits", min.c_str (),
            max.c_str ());
    check_limits (formats[limits_port]);
    const auto to = type == Type::u8 ? Element::u8 : type == Type::u16 ? Element::u16 : Element::f32;
    opencl.negotiated (rescale::problem_of (format.element, to));
    format.element = to;
    format.mark_smoothed (info.name);
    format.materials.reset ();
    format.per_length = format.per_length && least && greatest; // limits that are found are not known before the run
    if (least && greatest)
      format.scale = format.scale.value_or (Scale ()).of ({(*greatest - *least) / rescale::greatest (to), *least});
    else
      format.scale.reset ();
    limited = nullptr;
    return format;
  }

  Rows demand (size_t port, const Format &, const Rows &rows) const override
  {
    return port == limits_port ? Rows{0, 1} : rows;
  }
  bool collects (size_t port) const override { return port == limits_port; }
  const families::Use *kernels () const override { return &opencl; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    PointFilter::memory (sizing, bill);
    if (on_device (sizing.device))
      HostInput::memory (sizing, {limits_port}, bill);
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!limited)
      limited = std::make_shared<point::Limited> (replica.messages);
    Range range{replica.counters, replica.messages, least, greatest, replica.output->element, limited};
    if (on_device (replica.device))
      return std::make_unique<OnDevice> (replica, opencl.choice (replica.device, 1).setting, opencl.problem (),
                                         std::move (range));
    return std::make_unique<Rescaler> (replica, std::move (range));
  }

  void finish () override
  {
    if (limited)
      limited->tell ("values are beyond min= and max=, or NaN, and were clipped");
  }

private:
  std::optional<double> least, greatest;
  std::shared_ptr<point::Limited> limited; // shared by the replicas
  mutable WithPercentiles parts;

  static std::optional<double> number (const char *property, const std::string &word)
  {
    double value = 0;
    if (word == from_input)
      return {};
    if (!parse_number (word, value) || !std::isfinite (value))
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s is neither a number, nor auto, nor input", property, word.c_str ());
    return value;
  }

  void check_limits (const Format *limits) const
  {
    if (limits && least && greatest)
      fail (SINO_ERROR_BAD_PROPERTY,
            "the input 'limits' is connected, but not used: set min=input, max=input, or both");
    if (!limits && !(least && greatest))
      fail (SINO_ERROR_BAD_PROPERTY, "min=%s max=%s: nothing is connected to the input 'limits': give numbers, or auto",
            min.c_str (), max.c_str ());
    if (limits && (limits->rows () != 1 || limits->line () != 2))
      fail (SINO_ERROR_BAD_FORMAT, "input 'limits' wants two numbers, as from 'percentiles', got %s",
            limits->describe ().c_str ());
  }
};

} // namespace

SINO_REGISTER (Rescale)

} // namespace sino::rescale
