// SPDX-License-Identifier: LGPL-3.0-or-later
// The logarithm against that of the C library in float64.
#include "tests/filters/values/values.hpp"

namespace sino::test::minus_log_test {

namespace {

struct Flats final : Frames {
  void read (Interval, Interval, void *, const Watch &) const override {}
};

// A part in 10 million of the attenuation, and as much of 1 where that is nearly 0.
void check (const Array &in, double air, const Settings &settings)
{
  std::map<std::string, int64_t> counters;
  const auto out = result_of ("minus-log", settings, in, &counters);
  g_assert_true (out.format.element == Element::f32);
  g_assert_cmpstr (out.format.changed_by.c_str (), ==, "minus-log");
  int64_t clamped = 0;
  for (size_t i = 0; i < size_of (in); i++) {
    const auto transmission = value_at (in, i) / air;
    clamped += transmission < 1e-6;
    const auto right = -std::log (std::max (transmission, 1e-6)), is = value_at (out, i);
    if (!(std::abs (is - right) <= 3e-7 * std::max (1.0, std::abs (right))))
      g_error ("value %zu, of transmission %.9g, is %.9g, not %.9g", i, transmission, is, right);
  }
  g_assert_cmpint (counters["clamped"], ==, clamped);
  g_assert_cmpint (clamped, >, 0);
}

void test_floats ()
{
  for (const auto element : {Element::f32, Element::f16})
    for (const auto &format : {streams (element)[0], streams (element)[1]}) {
      check (filled (format, [] (size_t, float noise) { return 1.2f * noise - 0.1f; }), 1, {});
      check (filled (format, [] (size_t, float noise) { return std::exp (-20 * noise); }), 1, {});
    }
}

void test_counts ()
{
  for (const auto element : {Element::u8, Element::u16})
    for (const auto &format : {streams (element)[0], streams (element)[1]})
      check (filled (format, [] (size_t i, float noise) { return i % 7 == 0 ? 0 : 250 * noise; }), 200,
             {{"air", "200"}});
}

void test_no_numbers ()
{
  std::map<std::string, int64_t> counters;
  const auto out = result_of ("minus-log", {{"least", "0.01"}},
                              line_of ({NAN, INFINITY, -INFINITY, 0, -0.0f, -3, 1, 0.5f}), &counters);
  const auto *is = out.as<float> ();
  const float least = -std::log (0.01f);
  g_assert_true (std::isnan (is[0]));
  g_assert_true (is[1] == -INFINITY);
  for (const int i : {2, 3, 4, 5})
    g_assert_cmpfloat_with_epsilon (is[i], least, 1e-6f);
  g_assert_true (is[6] == 0);
  g_assert_cmpfloat_with_epsilon (is[7], 0.69314718f, 1e-7f);
  g_assert_cmpint (counters["clamped"], ==, 4);
}

void test_wrong ()
{
  const auto counts = streams (Element::u16)[0];
  same (refusal ("minus-log", {}, counts),
        "wants transmission, got u16 projections (angle 5, row 11, column 70), which are counts: set air= to the "
        "counts without sample, or use 'flat-field' instead of this node");
  same (refusal ("minus-log", {}, streams (Element::f32)[2]),
        "wants projections or sinograms, got f32 slices (z 4, y 12, x 41): put this node before the "
        "reconstruction, or correct axes= of 'read'");
  auto format = streams (Element::f32)[1];
  format.filtered_by = "ramp-filter";
  same (refusal ("minus-log", {}, format), "'ramp-filter' has filtered the rows already: put this node before it");
  format = streams (Element::f32)[0];
  format.companions.flats = std::make_shared<Flats> ();
  same (refusal ("minus-log", {}, format),
        "wants transmission, got counts, because the stream has flats: use 'flat-field' instead of this node, or set "
        "air= to the counts without sample");
  same (refusal ("minus-log", {{"air", "3000"}}, format), "(no error)");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/minus-log/floats", test_floats);
  g_test_add_func ("/minus-log/counts", test_counts);
  g_test_add_func ("/minus-log/no-numbers", test_no_numbers);
  g_test_add_func ("/minus-log/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::minus_log_test
