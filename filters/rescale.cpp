// SPDX-License-Identifier: LGPL-3.0-or-later
// Values between two limits to the whole range of integers, as files of pictures hold them.
#include "kernels/rescale/rescale.hpp"
#include "base/error.hpp"
#include "filters/point/limited.hpp"
#include "filters/point/values.hpp"
#include "filters/rescale/limits.hpp"
#include "glue/composite.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <cmath>
#include <optional>

namespace {
using namespace sino;
using rescale::Limits;

enum Port : size_t { data_port, limits_port };
enum class Type { u8, u16, f32 };

// Words of `min` and `max` besides numbers.
constexpr char by_percentiles[] = "auto", from_input[] = "input";

class Rescaler final : public point::ValueWorker
{
public:
  Rescaler (const Replica &replica, std::optional<double> l, std::optional<double> g,
            std::shared_ptr<point::Limited> shared)
      : ValueWorker (replica.cpu), counters (replica.counters), messages (replica.messages), min (l), max (g),
        to (replica.output->element), limited (std::move (shared))
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    if (inputs[limits_port]) {
      const Block found = inputs[limits_port]->pop ();
      if (!found || inputs[limits_port]->pop ())
        fail (SINO_ERROR_FAILED, "got no limits, or more than once");
      take ({static_cast<double> (found.as<float> ()[0]), static_cast<double> (found.as<float> ()[1])});
    } else
      limits = {*min, *max};
    ValueWorker::run (inputs.first (1), output);
  }

protected:
  int64_t make (const float *x, const float *, int64_t n, std::byte *out) const override
  {
    return rescale::rescale (x, n, limits, to, out);
  }
  void count (int64_t clipped, int64_t values) override
  {
    counters.add ("clipped", clipped);
    if (min && max) // of percentiles, it is known how many are
      limited->add (clipped, values);
  }

private:
  Counters &counters;
  Messages &messages;
  const std::optional<double> min, max;
  const Element to;
  const std::shared_ptr<point::Limited> limited;
  Limits limits{};

  void take (const Limits &found)
  {
    limits = {min.value_or (found.min), max.value_or (found.max)};
    messages.add (text ("%.9g becomes 0, and %.9g becomes %g", limits.min, limits.max, rescale::greatest (to)));
    if (!(limits.max > limits.min)) {
      messages.add (text ("min=%.9g is not below max=%.9g: all values from there on become %g", limits.min, limits.max,
                          rescale::greatest (to)));
      limits.max = std::nextafter (limits.min, HUGE_VAL);
    }
  }
};

// Itself, with limits that another node finds in the whole stream.
class WithPercentiles final : public Composite
{
public:
  WithPercentiles () = default;
  WithPercentiles (const std::string &min, const std::string &max, const char *t, std::string b)
      : words{min, max}, type (t), between (std::move (b))
  {
  }

  Expansion expand (std::span<const Format *const> inputs, const Site &) const override
  {
    rescale::parse_percentiles ("percentiles", between);
    if (inputs[limits_port])
      fail (SINO_ERROR_BAD_PROPERTY, "limits come from the input 'limits', and nothing takes them: set min=input, "
                                     "max=input, or both");
    Expansion parts;
    parts.parts.push_back ({"percentiles", "percentiles", {{"between", between, "percentiles"}}, nullptr});
    const auto limit = [] (const std::string &word) { return word == by_percentiles ? from_input : word; };
    parts.parts.push_back (
        {"rescale",
         "rescale",
         {{"min", limit (words[0]), "min"}, {"max", limit (words[1]), "max"}, {"type", type, "type"}},
         nullptr});
    parts.wires = {{0, 1, limits_port}};
    parts.feeds = {{data_port, 0}, {data_port, 1}};
    parts.output = 1;
    parts.why =
        text ("the limits are percentiles of the whole stream (%s), which is made twice, or kept", between.c_str ());
    return parts;
  }

private:
  std::array<std::string, 2> words;
  const char *type = "";
  std::string between;
};

class Rescale final : public PointFilter
{
public:
  static constexpr Info info{"rescale", "Map values between two limits to u8, u16, or 0 to 1"};

  std::string min = by_percentiles, max = by_percentiles, percentiles = rescale::usual_percentiles;
  Type type = Type::u8;

  static constexpr Nick<Type> types[] = {{Type::u8, "u8"}, {Type::u16, "u16"}, {Type::f32, "f32"}};
  static constexpr Property properties[] = {
      prop<&Rescale::type> ("type", "Element type: u8 (0 to 255), u16 (0 to 65535) or f32 (0 to 1)", types),
      prop<&Rescale::min> ("min", "The value that becomes 0; auto: the lower percentile; input: the first of the "
                                  "numbers that come at the input 'limits'"),
      prop<&Rescale::max> ("max", "The value that becomes the greatest; auto: the upper percentile; input: the second "
                                  "of the numbers that come at the input 'limits'"),
      prop<&Rescale::percentiles> ("percentiles", "The percentiles of all values of the stream that auto takes"),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"limits", true}};
    return ports;
  }

  const Composite *composite () const override
  {
    if (min != by_percentiles && max != by_percentiles)
      return nullptr;
    parts = WithPercentiles (min, max, types[static_cast<size_t> (type)].nick, percentiles);
    return &parts;
  }

  Format negotiate (std::span<const Format *const> formats) override
  {
    Format format = *formats[data_port];
    if (format.kind () == Kind::other)
      fail (SINO_ERROR_BAD_FORMAT, "wants projections, sinograms or slices, got %s", format.describe ().c_str ());
    least = number ("min", min);
    greatest = number ("max", max);
    if (least && greatest && *least >= *greatest)
      fail (SINO_ERROR_BAD_PROPERTY, "min=%s is not below max=%s: exchange them, or give other limits", min.c_str (),
            max.c_str ());
    check_limits (formats[limits_port]);
    format.element = type == Type::u8 ? Element::u8 : type == Type::u16 ? Element::u16 : Element::f32;
    format.mark_changed (info.name);
    limited = nullptr;
    return format;
  }

  Rows demand (size_t port, const Format &, const Rows &rows) const override
  {
    return port == limits_port ? Rows{0, 1} : rows;
  }
  bool collects (size_t port) const override { return port == limits_port; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!limited)
      limited = std::make_shared<point::Limited> (replica.messages);
    return std::make_unique<Rescaler> (replica, least, greatest, limited);
  }

  void finish () override
  {
    if (limited)
      limited->tell ("values are beyond min= and max=, or no numbers, and were clipped");
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
      fail (SINO_ERROR_BAD_PROPERTY, "limits come from the input 'limits', and nothing takes them: set min=input, "
                                     "max=input, or both");
    if (!limits && !(least && greatest))
      fail (SINO_ERROR_BAD_PROPERTY, "min=%s max=%s: nothing is connected to the input 'limits', give numbers, or auto",
            min.c_str (), max.c_str ());
    if (limits && (limits->kind () != Kind::other || limits->rows () != 1 || limits->line () != 2 ||
                   limits->element != Element::f32))
      fail (SINO_ERROR_BAD_FORMAT, "input 'limits' wants two numbers, as 'percentiles' gives them, got %s",
            limits->describe ().c_str ());
  }
};

} // namespace

SINO_REGISTER (Rescale)
