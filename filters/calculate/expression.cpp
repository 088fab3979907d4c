// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/calculate/expression.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "base/shown.hpp"
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace sino::calculate {

namespace {

constexpr size_t most_characters = 1000;
constexpr int most_levels = 50;

// A constant or an operand. Temporaries form a stack; constants are moved to their table at the end.
struct Term {
  std::optional<double> constant;
  int place = 0; // 0: x, 1: y, 2 and more: temporaries
};

struct Function {
  std::string_view name;
  Operation operation;
  size_t arguments; // number of arguments; minimum and maximum accept more
};
constexpr Function functions[] = {{"abs", Operation::absolute, 1},    {"min", Operation::minimum, 2},
                                  {"max", Operation::maximum, 2},     {"log", Operation::logarithm, 1},
                                  {"exp", Operation::exponential, 1}, {"sqrt", Operation::square_root, 1},
                                  {"pow", Operation::power, 2}};

double value_of (Operation operation, double a, double b)
{
  switch (operation) {
  case Operation::add:
    return a + b;
  case Operation::subtract:
    return a - b;
  case Operation::multiply:
    return a * b;
  case Operation::divide:
    return a / b;
  case Operation::power:
  case Operation::whole_power:
    return std::pow (a, b);
  case Operation::minimum:
    return std::min (a, b);
  case Operation::maximum:
    return std::max (a, b);
  case Operation::negate:
    return -a;
  case Operation::absolute:
    return std::abs (a);
  case Operation::square_root:
    return std::sqrt (a);
  case Operation::exponential:
    return std::exp (a);
  case Operation::logarithm:
    return std::log (a);
  }
  return NAN;
}

class Parser
{
public:
  explicit Parser (const std::string &t) : all (t), text (t) {}

  Expression parse ()
  {
    if (text.size () > most_characters)
      fail (SINO_ERROR_BAD_PROPERTY, "expression= has %zu characters, at most %zu are allowed", text.size (),
            most_characters);
    if (peek () == '\0')
      fail (SINO_ERROR_BAD_PROPERTY, "expression= is missing: give the new value for a value x, for example -log(x)");
    const auto whole = sum ();
    if (peek () != '\0')
      wrong ("an operator or the end is expected");
    finish (whole);
    return std::move (result);
  }

private:
  const std::string &all;
  std::string_view text;
  size_t at = 0;
  int levels = 0, depth = 0; // depth of nested parentheses; size of the stack of temporaries
  std::vector<double> constants;
  struct Draft {
    Operation operation;
    Term a, b;
    int out, exponent;
  };
  std::vector<Draft> drafts;
  Expression result;

  // --- parses the text ---

  // Counts a level of nesting until the returned object ends.
  auto nested ()
  {
    if (++levels > most_levels)
      wrong ("the expression is nested too deeply");
    return AtEnd ([this] { levels--; });
  }

  Term sum ()
  {
    auto left = product ();
    for (char sign = peek (); sign == '+' || sign == '-'; sign = peek ()) {
      const auto column = at++;
      left = make (sign == '+' ? Operation::add : Operation::subtract, left, product (), column);
    }
    return left;
  }

  Term product ()
  {
    auto left = signed_power ();
    for (char sign = peek (); sign == '*' || sign == '/'; sign = peek ()) {
      const auto column = at++;
      if (sign == '*' && at < text.size () && text[at] == '*')
        wrong ("a power is written ^");
      left = make (sign == '*' ? Operation::multiply : Operation::divide, left, signed_power (), column);
    }
    return left;
  }

  Term signed_power ()
  {
    const auto sign = peek ();
    if (sign != '-' && sign != '+')
      return power ();
    const auto column = at++;
    const auto level = nested ();
    const auto value = signed_power ();
    return sign == '-' ? make (Operation::negate, value, {}, column) : value;
  }

  Term power ()
  {
    const auto base = primary ();
    if (peek () != '^')
      return base;
    const auto column = at++;
    const auto level = nested ();
    return make (Operation::power, base, signed_power (), column);
  }

  Term primary ()
  {
    const char c = peek ();
    if (c == '(') {
      at++;
      const auto level = nested ();
      const auto inner = sum ();
      expect (')', "an operator or ')' is expected");
      return inner;
    }
    if (is_digit (c) || c == '.')
      return number ();
    if (is_letter (c))
      return named ();
    wrong ("a number, x or '(' is expected");
  }

  Term number ()
  {
    double value = 0;
    const auto read = std::from_chars (text.data () + at, text.data () + text.size (), value);
    if (read.ec != std::errc ())
      wrong (read.ec == std::errc::result_out_of_range ? "the number is too large or too small"
                                                       : "a number, x or '(' is expected");
    const auto column = at;
    at = static_cast<size_t> (read.ptr - text.data ());
    return constant (value, column);
  }

  Term named ()
  {
    const auto begin = at;
    while (at < text.size () && (is_letter (text[at]) || is_digit (text[at])))
      at++;
    const auto name = text.substr (begin, at - begin);
    if (name == "x" || name == "y") {
      auto &column = name == "x" ? result.x_column : result.y_column;
      column = column > 0 ? column : static_cast<int> (begin) + 1;
      return {{}, name == "x" ? 0 : 1};
    }
    for (const auto &function : functions)
      if (function.name == name)
        return call (function, begin);
    at = begin;
    wrong ("the known names are x, y, abs, min, max, log, exp, sqrt and pow, not " + in_quotes (name));
  }

  Term call (const Function &function, size_t begin)
  {
    const auto usage =
        std::string (function.name) + (function.arguments == 1 ? " takes one value" : " takes two values");
    expect ('(', "'(' is expected");
    const auto level = nested ();
    auto value = sum ();
    if (function.arguments == 1)
      value = make (function.operation, value, {}, begin);
    else {
      size_t count = 1;
      for (; peek () == ','; count++) {
        if (count >= 2 && function.operation == Operation::power)
          wrong (usage);
        at++;
        value = make (function.operation, value, sum (), begin);
      }
      if (count < 2)
        wrong (usage + ", with ',' between them");
    }
    expect (')', function.arguments == 1 ? usage + ", and then ')'" : "an operator, ',' or ')' is expected");
    return value;
  }

  // --- makes steps ---

  Term constant (double value, size_t column)
  {
    if (!std::isfinite (static_cast<float> (value))) {
      at = column;
      wrong (std::isnan (value) ? "this is not a number" : "this number does not fit into 32 bits");
    }
    return {value};
  }

  // Operands that are temporaries are on top of the stack.
  Term make (Operation operation, const Term &a, const Term &b, size_t column)
  {
    const bool both = operation < Operation::negate;
    if (a.constant && (b.constant || !both))
      return constant (value_of (operation, *a.constant, both ? *b.constant : 0), column);
    int exponent = 0;
    if (operation == Operation::power && b.constant) {
      if (*b.constant == 0.5)
        operation = Operation::square_root;
      else if (*b.constant == std::nearbyint (*b.constant) && std::abs (*b.constant) <= 64) {
        operation = Operation::whole_power;
        exponent = static_cast<int> (*b.constant);
      }
    }
    for (const auto *term : {&a, &b})
      if (!term->constant && term->place >= 2)
        depth--;
    const Term out{{}, 2 + depth++};
    if (depth > most_temporaries) {
      at = column;
      wrong ("the expression is nested too deeply");
    }
    result.temporaries = std::max (result.temporaries, depth);
    drafts.push_back ({operation, a, b, out.place, exponent});
    return out;
  }

  void finish (const Term &whole)
  {
    const auto known = [&] (const Term &term) {
      if (!term.constant)
        return;
      result.constants.push_back (static_cast<float> (*term.constant));
    };
    for (const auto &draft : drafts) {
      known (draft.a);
      known (draft.b);
    }
    known (whole);
    int constants_before = 2;
    const auto place = [&] (const Term &term) {
      if (term.constant)
        return constants_before++;
      return term.place < 2 ? term.place : term.place - 2 + result.first_temporary ();
    };
    for (const auto &draft : drafts) {
      const auto a = place (draft.a), b = place (draft.b);
      result.steps.push_back ({draft.operation, a, b, draft.out - 2 + result.first_temporary (), draft.exponent});
    }
    result.result = place (whole);
  }

  // --- characters ---

  static bool is_digit (char c) { return c >= '0' && c <= '9'; }
  static bool is_letter (char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  // The next character that is not a space; 0 at the end.
  char peek ()
  {
    while (at < text.size () && text[at] == ' ')
      at++;
    return at < text.size () ? text[at] : '\0';
  }

  void expect (char c, const std::string &otherwise)
  {
    if (peek () != c)
      wrong (otherwise);
    at++;
  }

  [[noreturn]] void wrong (const std::string &what)
  {
    fail (SINO_ERROR_BAD_PROPERTY, "expression=%s: column %zu%s: %s", all.c_str (), at + 1,
          at >= text.size () ? ", the end" : "", what.c_str ());
  }
};

} // namespace

Expression parse_expression (const std::string &text)
{
  return Parser (text).parse ();
}

} // namespace sino::calculate
