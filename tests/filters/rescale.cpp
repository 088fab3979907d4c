// SPDX-License-Identifier: LGPL-3.0-or-later
// Values mapped to integers, against the formula: the nearest integer is half a unit from the exact value at most.
#include "tests/filters/values/values.hpp"

namespace sino::test::rescale_test {

namespace {

void check (const Array &in, const char *type, double min, double max)
{
  std::map<std::string, int64_t> counters;
  const auto out = result_of ("rescale", {{"type", type}, {"min", text ("%.17g", min)}, {"max", text ("%.17g", max)}},
                              in, &counters);
  g_assert_cmpstr (name_of (out.format.element), ==, type);
  g_assert_cmpstr (out.format.changed_by.c_str (), ==, "rescale");
  const double top = out.format.element == Element::u8 ? 255 : out.format.element == Element::u16 ? 65535 : 1;
  int64_t clipped = 0;
  for (size_t i = 0; i < size_of (in); i++) {
    const auto value = value_at (in, i), is = value_at (out, i);
    clipped += value < min || value > max;
    const auto exact = (std::clamp (value, min, max) - min) / (max - min) * top;
    if (!(std::abs (is - exact) <= (top == 1 ? 6e-8 : 0.5 + 1e-9)))
      g_error ("value %zu, %.9g, is %.9g, not %.9g", i, value, is, exact);
  }
  g_assert_cmpint (counters["clipped"], ==, clipped);
  g_assert_cmpint (clipped, >, 0);
}

void test_values ()
{
  for (const char *type : {"u8", "u16", "f32"}) {
    for (const auto element : {Element::f32, Element::f16})
      for (const auto &format : streams (element))
        check (filled (format, [] (size_t, float noise) { return 0.05f * noise - 0.01f; }), type, -0.002, 0.035);
    for (const auto &format : streams (Element::u16))
      check (filled (format, [] (size_t, float noise) { return 65535 * noise; }), type, 300, 61000);
    for (const auto &format : streams (Element::u8))
      check (filled (format, [] (size_t, float noise) { return 255 * noise; }), type, 20, 200.5);
  }
}

// Far from 0, where float32 has few digits left.
void test_limits_close_together ()
{
  check (filled (streams (Element::f32)[0], [] (size_t, float noise) { return 1000 + noise; }), "u16", 1000.25,
         1000.75);
}

void test_integers_as_they_are ()
{
  const auto in = filled (streams (Element::u8)[0], [] (size_t i, float) { return static_cast<float> (i % 256); });
  same_bytes (result_of ("rescale", {{"min", "0"}, {"max", "255"}}, in), in);
}

void test_ties_and_no_numbers ()
{
  std::map<std::string, int64_t> counters;
  const auto in = line_of ({NAN, -INFINITY, INFINITY, 0.5f, 1.5f, 2.5f, 254.5f, 255, 255.1f});
  const auto out = result_of ("rescale", {{"min", "0"}, {"max", "255"}}, in, &counters);
  const uint8_t right[] = {0, 0, 255, 0, 2, 2, 254, 255, 255};
  g_assert_cmpmem (out.bytes.data (), out.bytes.size (), right, sizeof right);
  g_assert_cmpint (counters["clipped"], ==, 4);

  const auto floats = result_of ("rescale", {{"min", "0"}, {"max", "255"}, {"type", "f32"}}, in, &counters);
  g_assert_true (std::isnan (floats.as<float> ()[0]));
  g_assert_true (floats.as<float> ()[1] == 0 && floats.as<float> ()[2] == 1);
  g_assert_cmpint (counters["clipped"], ==, 3);
}

// As 'percentiles' gives them.
Array limits (float min, float max)
{
  Format two;
  two.axes = {{Axis::row, 1}, {Axis::column, 2}};
  return filled (two, [&] (size_t i, float) { return i == 0 ? min : max; });
}

void test_limits_that_come ()
{
  const auto in = filled (streams (Element::f32)[1], [] (size_t, float noise) { return 4 * noise; });
  const auto found = limits (1, 3);
  for (const char *min : {"input", "1"}) {
    const auto right = run_task (*make_task ("rescale", {{"min", "1"}, {"max", "3"}}), {&in, nullptr});
    for (const auto cut : {Cut{}, Cut{.rows = 2, .lanes = 4}})
      same_bytes (run_task (*make_task ("rescale", {{"min", min}, {"max", "input"}}), {&in, &found}, cut), right);
  }
  // A stream of one value.
  const auto equal = limits (2, 2);
  const auto out = run_task (*make_task ("rescale", {{"min", "input"}, {"max", "input"}}), {&in, &equal});
  for (size_t i = 0; i < size_of (in); i++)
    g_assert_cmpint (out.as<uint8_t> ()[i], ==, in.as<float> ()[i] > 2 ? 255 : 0);
}

void test_wrong ()
{
  const auto format = streams (Element::f32)[0];
  const auto said = [&] (const Settings &settings, const Format *found = nullptr) {
    return message_of ([&] { negotiated (*make_task ("rescale", settings), std::vector{&format, found}); });
  };
  same (said ({{"min", "2"}, {"max", "1"}}), "min=2 is not below max=1: exchange them, or give other limits");
  same (said ({{"min", "low"}, {"max", "1"}}), "min=low is neither a number, nor auto, nor input");
  same (said ({{"min", "0"}, {"max", "nan"}}), "max=nan is neither a number, nor auto, nor input");
  same (said ({{"min", "0"}, {"max", "input"}}),
        "min=0 max=input: nothing is connected to the input 'limits': give numbers, or auto");
  const auto two = limits (0, 1).format;
  same (said ({{"min", "0"}, {"max", "1"}}, &two),
        "the input 'limits' is connected, but not used: set min=input, max=input, or both");
  same (said ({{"min", "0"}, {"max", "input"}}, &format),
        "input 'limits' wants data, got f32 projections (angle 5, row 11, column 70): connect 'percentiles' to it");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/rescale/values", test_values);
  g_test_add_func ("/rescale/limits-close-together", test_limits_close_together);
  g_test_add_func ("/rescale/integers-as-they-are", test_integers_as_they_are);
  g_test_add_func ("/rescale/ties-and-no-numbers", test_ties_and_no_numbers);
  g_test_add_func ("/rescale/limits-that-come", test_limits_that_come);
  g_test_add_func ("/rescale/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::rescale_test
