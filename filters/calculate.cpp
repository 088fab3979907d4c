// SPDX-License-Identifier: LGPL-3.0-or-later
// Arithmetic with the values of a stream, and of a second one.
#include "base/error.hpp"
#include "filters/calculate/expression.hpp"
#include "filters/point/values.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include <array>
#include <cstring>

namespace sino::calculate {
namespace {
using calculate::Expression;
using calculate::Operand;

enum Port : size_t { x_port, y_port };

class Calculator final : public point::ValueWorker
{
public:
  Calculator (const Replica &replica, Expression e) : ValueWorker (replica.cpu), expression (std::move (e)) {}

protected:
  int64_t make (const float *x, const float *y, int64_t n, std::byte *out) const override
  {
    std::array<float, point::piece * calculate::most_temporaries> temporaries;
    std::vector<Operand> operands{{x, 0}, {y, 0}};
    for (const float constant : expression.constants)
      operands.push_back ({nullptr, constant});
    auto *to = reinterpret_cast<float *> (out);
    if (!expression.steps.empty ())
      calculate::run (expression.steps, operands, n, temporaries.data (), point::piece, to);
    else if (const auto &known = operands[static_cast<size_t> (expression.result)]; known.values)
      std::memcpy (to, known.values, static_cast<size_t> (n) * sizeof (float));
    else
      std::fill_n (to, n, known.value);
    return 0;
  }

private:
  const Expression expression;
};

class Calculate final : public PointFilter
{
public:
  static constexpr Info info{"calculate", "Compute each value by an arithmetic expression"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}, .gives = {.elements = Element::f32}};

  std::string expression;

  static constexpr Property properties[] = {
      prop<&Calculate::expression> ("expression",
                                    "New value computed from a value x, for example -log(x) * 2 + 1; y is the value of "
                                    "the input 'other': + - * / ^, parentheses, abs, min, max, log, exp, sqrt, pow"),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"other", true}};
    return ports;
  }

  // Two inputs need the same lanes, but other consumers of the second one may want others: then each has one lane.
  int wanted_lanes (const Device &, int downstream) const override { return parsed.y_column > 0 ? 1 : downstream; }
  bool takes_lanes () const override { return parsed.y_column == 0; }

  Format negotiate (std::span<const Format *const> formats) override
  {
    Format format = *formats[x_port];
    parsed = calculate::parse_expression (expression);
    if (const auto *other = formats[y_port]; other && parsed.y_column == 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "expression=%s does not name y, the values of the input 'other': use y, or leave that input unconnected",
            expression.c_str ());
    else if (!other && parsed.y_column > 0)
      fail (SINO_ERROR_BAD_PROPERTY,
            "expression=%s: column %d: y is the value of the input 'other', which is not connected: connect it as in "
            "[data, other] ! calculate",
            expression.c_str (), parsed.y_column);
    else if (other)
      want_alike ("other", *other, "data", format);
    format.element = Element::f32;
    format.mark_changed (info.name);
    format.finite = false;
    return format;
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<Calculator> (replica, parsed);
  }

private:
  Expression parsed;
};

} // namespace

SINO_REGISTER (Calculate)

} // namespace sino::calculate
