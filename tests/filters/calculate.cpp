// SPDX-License-Identifier: LGPL-3.0-or-later
// Expressions against the same in C++ and float64.
#include "tests/filters/values/values.hpp"
#include <functional>

namespace sino::test::calculate_test {

namespace {

using Formula = std::function<double (double x)>;

struct Case {
  const char *expression;
  Formula formula;
};

const Case cases[] = {
    {"x", [] (double x) { return x; }},
    {"7", [] (double) { return 7; }},
    {"-log(x) * 2 + 1", [] (double x) { return -std::log (x) * 2 + 1; }},
    {"1 - 2 - x - 3", [] (double x) { return -4 - x; }},
    {"8 / x / 2", [] (double x) { return 8 / x / 2; }},
    {"2 + 3 * x", [] (double x) { return 2 + 3 * x; }},
    {"(2 + 3) * (x - 1)", [] (double x) { return 5 * (x - 1); }},
    {"-x^2", [] (double x) { return -(x * x); }},
    {"(-x)^3", [] (double x) { return -(x * x * x); }},
    {"2^x^0.5", [] (double x) { return std::pow (2, std::sqrt (x)); }},
    {"x^-2", [] (double x) { return 1 / (x * x); }},
    {"x ^ 17 / 3e8", [] (double x) { return std::pow (x, 17) / 3e8; }},
    {"x^1.5", [] (double x) { return std::pow (x, 1.5); }},
    {"pow(x, 0.5) + x ^ 0.5", [] (double x) { return 2 * std::sqrt (x); }},
    {"pow(x, x)", [] (double x) { return std::pow (x, x); }},
    {"exp(-x) + exp(x)", [] (double x) { return std::exp (-x) + std::exp (x); }},
    {"sqrt(x) * abs(1.5 - x)", [] (double x) { return std::sqrt (x) * std::abs (1.5 - x); }},
    {"min(x, 1, 2 - x) + max(x, 1.25)",
     [] (double x) {
       return std::min ({x, 1.0, 2 - x}) + std::max (x, 1.25);
     }},
    {"1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x))))", [] (double x) { return 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); }},
    {"((x + 1) * (x + 2)) / ((x + 3) * (x + 4) + (x + 5) * (x + 6))",
     [] (double x) { return (x + 1) * (x + 2) / ((x + 3) * (x + 4) + (x + 5) * (x + 6)); }},
    {" - - + x*.5e1 ", [] (double x) { return 5 * x; }},
    {"log(2) * 1e3 * x", [] (double x) { return std::log (2) * 1e3 * x; }},
};

// Some roundings of float32, of the result or of what is added to 1.
void check (const Array &in, const Case &one)
{
  const auto out = result_of ("calculate", {{"expression", one.expression}}, in);
  g_assert_true (out.format.element == Element::f32);
  g_assert_cmpstr (out.format.changed_by.c_str (), ==, "calculate");
  for (size_t i = 0; i < size_of (in); i++) {
    const auto x = value_at (in, i), right = one.formula (x), is = value_at (out, i);
    if (!(std::abs (is - right) <= 2e-6 * std::max (1.0, std::abs (right))))
      g_error ("%s: of %.9g is %.9g, not %.9g", one.expression, x, is, right);
  }
}

void test_expressions ()
{
  for (const auto &one : cases)
    for (const auto &format : streams (Element::f32))
      check (filled (format, [] (size_t, float noise) { return 3 * noise + 0.01f; }), one);
}

void test_elements ()
{
  for (const auto element : {Element::u8, Element::u16, Element::f16})
    for (const auto &format : streams (element))
      for (const auto &one : {cases[2], cases[5], cases[16]})
        check (filled (format, [] (size_t, float noise) { return 200 * noise + 1; }), one);
}

// As IEEE 754 and the C library have them.
void test_no_numbers ()
{
  const std::vector<float> values{NAN, INFINITY, -INFINITY, 0, -1, 100, -200, 1e-40f};
  const auto floats = [&] (const char *expression) {
    const auto out = result_of ("calculate", {{"expression", expression}}, line_of (values));
    return std::vector (out.as<float> (), out.as<float> () + values.size ());
  };
  const auto check = [&] (const char *expression, const Formula &formula) {
    const auto is = floats (expression);
    for (size_t i = 0; i < values.size (); i++) {
      const auto right = static_cast<float> (formula (static_cast<double> (values[i])));
      const bool good = std::isnan (right)   ? std::isnan (is[i])
                        : std::isinf (right) ? is[i] == right
                                             : std::abs (is[i] - right) <= 1e-6f * std::max (1.0f, std::abs (right));
      if (!good)
        g_error ("%s: of %.9g is %.9g, not %.9g", expression, static_cast<double> (values[i]),
                 static_cast<double> (is[i]), static_cast<double> (right));
    }
  };
  check ("log(x)", [] (double x) { return std::log (x); });
  check ("exp(x)", [] (double x) { return std::exp (x); });
  check ("sqrt(x)", [] (double x) { return std::sqrt (x); });
  check ("1 / x", [] (double x) { return 1 / x; });
  check ("x - x", [] (double x) { return x - x; });
  check ("abs(x)", [] (double x) { return std::abs (x); });
  check ("min(x, 5)", [] (double x) { return std::isnan (x) ? x : std::min (x, 5.0); });
  check ("min(5, x)", [] (double x) { return std::isnan (x) ? x : std::min (x, 5.0); });
  check ("max(x, 5)", [] (double x) { return std::isnan (x) ? x : std::max (x, 5.0); });
  check ("max(5, x)", [] (double x) { return std::isnan (x) ? x : std::max (x, 5.0); });
}

void test_two_streams ()
{
  for (const auto &format : streams (Element::f32)) {
    const auto x = filled (format, [] (size_t, float noise) { return noise; });
    auto wide = format;
    wide.element = Element::u16;
    const auto y = filled (wide, [] (size_t i, float) { return static_cast<float> (i % 777 + 1); });
    const auto whole = run_task (*make_task ("calculate", {{"expression", "(x - y) / y"}}), {&x, &y});
    for (size_t i = 0; i < size_of (x); i++) {
      const auto right = (value_at (x, i) - value_at (y, i)) / value_at (y, i);
      g_assert_true (std::abs (value_at (whole, i) - right) <= 1e-6 * std::abs (right));
    }
    for (const auto cut : {Cut{.rows = 1, .angles = 2, .threads = 1}, Cut{.rows = 3, .threads = 3}})
      same_bytes (run_task (*make_task ("calculate", {{"expression", "(x - y) / y"}}), {&x, &y}, cut), whole);
  }
}

void test_mistakes ()
{
  const struct {
    const char *expression;
    int column;
    const char *said;
  } mistakes[] = {
      {"x +", 4, ", the end: a number, x or '(' is expected"},
      {"x + * 2", 5, ": a number, x or '(' is expected"},
      {"x x", 3, ": an operator or the end is expected"},
      {"(x + 1", 7, ", the end: an operator or ')' is expected"},
      {"x + 1)", 6, ": an operator or the end is expected"},
      {"ln(x)", 1, ": the known names are x, y, abs, min, max, log, exp, sqrt and pow, not 'ln'"},
      {"2 * z", 5, ": the known names are x, y, abs, min, max, log, exp, sqrt and pow, not 'z'"},
      {"log x", 5, ": '(' is expected"},
      {"log()", 5, ": a number, x or '(' is expected"},
      {"log(x, 2)", 6, ": log takes one value, and then ')'"},
      {"min(x)", 6, ": min takes two values, with ',' between them"},
      {"pow(x, 2, 3)", 9, ": pow takes two values"},
      {"x ** 2", 4, ": a power is written ^"},
      {"x % 2", 3, ": an operator or the end is expected"},
      {"1 / 0 + x", 3, ": this number does not fit into 32 bits"},
      {"x + log(-1)", 5, ": this is not a number"},
      {"1e39 * x", 1, ": this number does not fit into 32 bits"},
      {"1e999", 1, ": the number is too large or too small"},
      {"x + .", 5, ": a number, x or '(' is expected"},
      {"0x10", 2, ": an operator or the end is expected"},
      {"x + 1,5", 6, ": an operator or the end is expected"},
  };
  const auto format = streams (Element::f32)[0];
  for (const auto &[expression, column, said] : mistakes)
    same (refusal ("calculate", {{"expression", expression}}, format),
          text ("expression=%s: column %d%s", expression, column, said));
  same (refusal ("calculate", {}, format),
        "expression= is missing: give the new value for a value x, for example -log(x)");
  const auto nested = std::string (60, '(').append ("x").append (60, ')');
  same (refusal ("calculate", {{"expression", nested}}, format),
        "expression=" + nested + ": column 52: the expression is nested too deeply");
  same (refusal ("calculate", {{"expression", std::string (1001, ' ').append ("x")}}, format),
        "expression= has 1002 characters, at most 1000 are allowed");
  std::string right = "x*x"; // x*x+(x*x+(x*x+..., a temporary for each
  for (int i = 0; i < 14; i++)
    right.insert (0, "x*x+(").append (")");
  g_assert_true (
      refusal ("calculate", {{"expression", right}}, format).ends_with ("the expression is nested too deeply"));
}

void test_inputs ()
{
  const auto format = streams (Element::f32)[0], other = streams (Element::f32)[1];
  const auto said = [] (const char *expression, const Format *x, const Format *y) {
    return message_of ([&] { negotiated (*make_task ("calculate", {{"expression", expression}}), std::vector{x, y}); });
  };
  same (said ("x - y", &format, nullptr), "expression=x - y: column 5: y is the value of the input 'other', which is "
                                          "not connected: connect it as in [data, other] ! calculate");
  same (said ("x - 1", &format, &format),
        "expression=x - 1 does not name y, the values of the input 'other': use y, or leave that input unconnected");
  same (said ("x - y", &format, &other), "input 'other' wants f32 projections (angle 5, row 11, column 70) like input "
                                         "'data', got f32 sinograms (row 6, angle 9, column 33)");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/calculate/expressions", test_expressions);
  g_test_add_func ("/calculate/elements", test_elements);
  g_test_add_func ("/calculate/no-numbers", test_no_numbers);
  g_test_add_func ("/calculate/two-streams", test_two_streams);
  g_test_add_func ("/calculate/mistakes", test_mistakes);
  g_test_add_func ("/calculate/inputs", test_inputs);
  return g_test_run ();
}

} // namespace sino::test::calculate_test
