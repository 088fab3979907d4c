// SPDX-License-Identifier: LGPL-3.0-or-later
// Projections against numerical integration of the object, its mass and centre, and the symmetry of a half turn.
#include "tests/support/expect.hpp"
#include "tests/support/objects.hpp"
#include "tests/support/run-task.hpp"

namespace sino::test::simulate_test {

namespace {

using Properties = std::vector<std::pair<std::string, std::string>>;

Array simulate (const Properties &properties, Cut cut = {})
{
  const auto task = make_task ("simulate", properties);
  return run_task (*task, {}, cut);
}

constexpr int width = 40, height = 12, projections = 7;
constexpr double axis = 17.25;

Properties crooked_scan (const std::string &path)
{
  return {{"object", path},  {"width", "40"},       {"height", "12"}, {"projections", "7"},
          {"axis", "17.25"}, {"angles", "-30:150"}, {"density", "3"}, {"z", "0.1"}};
}

double angle (int64_t a)
{
  return (-30 + 180.0 / projections * static_cast<double> (a)) * std::numbers::pi / 180;
}

// Attenuation per pixel at a point of the reconstruction's coordinates: y and z count downward.
double attenuation (double x, double y, double z)
{
  constexpr double half = width / 2.0;
  return crooked_at (x / half, -y / half, 0.1 - z / half) * 3 / half;
}

// Sum along the ray that meets the detector at (u, v).
double integral (double theta, double u, double v)
{
  constexpr int steps = 20000;
  const double c = std::cos (theta), s = std::sin (theta), step = 2.0 * width / steps;
  double sum = 0;
  for (int i = 0; i < steps; i++) {
    const double t = (i + 0.5) * step - width;
    sum += attenuation ((u - axis) * c + t * s, -(u - axis) * s + t * c, v - height / 2.0);
  }
  return sum * step;
}

// The steps are 0.004 pixels, and a ray crosses at most six edges: the sum is right to 6 x 0.002 x the largest
// attenuation of 0.225 per pixel.
constexpr double integration_error = 0.0027;

void test_projections_are_line_integrals ()
{
  const TemporaryFile file (crooked);
  const auto scan = simulate (crooked_scan (file.path));
  g_assert_true (scan.format.kind () == Kind::projections && scan.format.element == Element::f32);
  g_assert_cmpstr (scan.format.changed_by.c_str (), ==, "simulate");
  g_assert_false (scan.format.companions.any ());
  g_assert_cmpfloat (scan.format.geometry->axis.at (0), ==, axis);
  double largest = 0;
  for (int64_t a = 0; a < projections; a++) {
    g_assert_cmpfloat_with_epsilon (scan.format.geometry->angles.at (static_cast<size_t> (a)), angle (a), 1e-12);
    for (const int64_t row : {0, 3, 11})
      for (int64_t u = 0; u < width; u++) {
        const double is = scan.as<float> ()[(a * height + row) * width + u];
        const double should = integral (angle (a), static_cast<double> (u) + 0.5, static_cast<double> (row) + 0.5);
        g_assert_cmpfloat_with_epsilon (is, should, integration_error);
        largest = std::max (largest, should);
      }
  }
  g_assert_cmpfloat (largest, >, 1);
}

void test_supersampling_averages_over_the_bin ()
{
  const TemporaryFile file (crooked);
  auto properties = crooked_scan (file.path);
  properties.push_back ({"supersampling", "3"});
  const auto scan = simulate (properties);
  properties.push_back ({"type", "u16"});
  properties.push_back ({"bits", "16"});
  properties.push_back ({"dark-level", "0"});
  properties.push_back ({"exposure", "0.9"});
  const auto counts = simulate (properties);
  for (const int64_t a : {0, 5})
    for (int64_t u = 3; u < width; u += 4) {
      double mean = 0, passing = 0;
      for (int s = 0; s < 9; s++) {
        const double p = integral (angle (a), static_cast<double> (u) + (s % 3 + 0.5) / 3, 4 + (s / 3 + 0.5) / 3);
        mean += p / 9;
        passing += std::exp (-p) / 9;
      }
      const auto at = (a * height + 4) * width + u;
      g_assert_cmpfloat_with_epsilon (scan.as<float> ()[at], mean, integration_error);
      g_assert_cmpfloat_with_epsilon (counts.as<uint16_t> ()[at] / (0.9 * 65535), passing, integration_error);
    }
}

// The sum over a projection is the object's mass, its centre that of the object, turned: this holds the sense of y
// and of the angles together with `phantom`, whose pixels the sums run over.
void test_mass_and_centre_are_the_phantoms ()
{
  constexpr int n = 300;
  const Properties object{{"object", "shepp-logan"}, {"width", "300"}, {"supersampling", "4"}};
  auto scanned = object;
  scanned.insert (scanned.end (), {{"projections", "12"}, {"axis", "140.5"}, {"angles", "0:360"}});
  const auto scan = simulate (scanned);
  const auto task = make_task ("phantom", object);
  const auto slice = run_task (*task, {});
  double mass = 0, x = 0, y = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const double m = slice.as<float> ()[j * n + i];
      mass += m;
      x += m * (i + 0.5 - n / 2.0);
      y += m * (j + 0.5 - n / 2.0);
    }
  x /= mass;
  y /= mass;
  for (int a = 0; a < 12; a++) {
    double sum = 0, centre = 0;
    for (int u = 0; u < n; u++) {
      sum += scan.as<float> ()[a * n + u];
      centre += scan.as<float> ()[a * n + u] * (u + 0.5);
    }
    // Sampled edges: 16 samples per pixel leave a relative error of a few 1e-5 on the mass and of 1e-3 pixels on
    // centres that lie up to 0.9 pixels off.
    const double theta = a * std::numbers::pi / 6;
    g_assert_cmpfloat_with_epsilon (sum / mass, 1, 3e-4);
    g_assert_cmpfloat_with_epsilon (centre / sum, 140.5 + x * std::cos (theta) - y * std::sin (theta), 0.02);
  }
  g_assert_cmpfloat (std::hypot (x, y), >, 0.5);
}

// Half a turn later the detector sees the same rays, mirrored at the axis.
void test_half_a_turn_mirrors ()
{
  const TemporaryFile file (crooked);
  const auto scan =
      simulate ({{"object", file.path}, {"width", "64"}, {"height", "3"}, {"projections", "10"}, {"angles", "0:360"}});
  for (int a = 0; a < 5; a++)
    for (int row = 0; row < 3; row++)
      for (int u = 0; u < 64; u++)
        g_assert_cmpfloat_with_epsilon (scan.as<float> ()[(a * 3 + row) * 64 + u],
                                        scan.as<float> ()[((a + 5) * 3 + row) * 64 + 63 - u], 1e-6);
}

void test_does_not_depend_on_the_cut ()
{
  for (const char *object : {"shepp-logan", "shepp-logan-3d"}) {
    const Properties properties{{"object", object},   {"width", "37"},         {"height", "11"},
                                {"projections", "9"}, {"photons", "500"},      {"type", "u16"},
                                {"structure", "0.5"}, {"dead-pixels", "0.01"}, {"supersampling", "2"}};
    const auto whole = simulate (properties, {0, 0, 1});
    for (const Cut cut : {Cut{1, 1, 2}, Cut{4, 2, 3}, Cut{0, 5, 2}, Cut{3, 0, 1}}) {
      const auto parts = simulate (properties, cut);
      g_assert_cmpmem (parts.bytes.data (), parts.bytes.size (), whole.bytes.data (), whole.bytes.size ());
    }
  }
}

std::string message (const Properties &properties)
{
  return message_of ([&] { simulate (properties); });
}

void test_properties_that_are_wrong ()
{
  const auto says = [] (const Properties &properties, const char *text) { same (message (properties), text); };
  says ({{"object", "shep"}},
        "object: 'shep' is neither 'shepp-logan', 'shepp-logan-3d', 'resolution' nor an existing JSON file");
  says ({{"axis", "left"}}, "axis must be a detector column or auto, not 'left'");
  says ({{"angles", "0-180"}}, "angles must be start:stop in degrees, such as 0:180, not '0-180'");
  says ({{"angles", "0:nan"}}, "angles must be start:stop in degrees, such as 0:180, not '0:nan'");
  says ({{"type", "u16"}, {"dark-level", "4000"}}, "dark-level: 4000 counts are not below the open beam's 3276 "
                                                   "(exposure 0.8 of 12 bits): lower dark-level, or raise bits");
}

void test_lists_that_are_wrong ()
{
  const auto says = [] (const char *json, const char *text) {
    const TemporaryFile file (json);
    same (message ({{"object", file.path}}), "object '" + file.path + "'" + text);
  };
  constexpr const char *list = ": it must be an array of ellipsoids [{\"half-axes\": ..., \"value\": ...}, ...]";
  says ("", ": line 1, column 1: the file ends where a value is expected");
  says ("[]", list);
  says ("{\"a\": 1}", list);
  says ("[1]", ": $[0]: must be an object");
  says ("[{\"value\": 1}]", ": $[0]: has no 'half-axes'");
  says ("[{\"half-axes\": [1, 1]}]", ": $[0]: has no 'value'");
  says (R"([{"half-axes": [1, 1], "value": 1}, {"half-axes": [1], "value": 1}])",
        ": $[1].half-axes: must have 2 or 3 numbers");
  says (R"([{"half-axes": [1, -1], "value": 1}])", ": $[0].half-axes: half axes must be from 1e-6 to 1e6");
  says (R"([{"half-axes": [1, "b"], "value": 1}])", ": $[0].half-axes[1]: must be a number");
  says (R"([{"half-axes": [1, 1], "value": 1e999}])", ": $[0].value: the number is too large");
  says (R"([{"half-axes": [1, 1], "value": 1, "center": [0, 0]}])",
        ": $[0].center: unknown key, did you mean 'centre'?");
  says (R"([{"half-axes": [1, 1], "value": 1, "rotation": [0, 10, 0]}])",
        ": $[0].rotation: must be one angle: an ellipse with 2 half axes turns about z only");
  // Nothing that json-glib would take and JSON does not have, however deep it goes: json-glib recurses.
  const std::string brackets (3000000, '[');
  says (brackets.c_str (), ": line 1, column 65: nested deeper than 64 levels");
  says (("// \"\n" + brackets).c_str (), ": line 1, column 1: a value is expected");
  says (("/* \" */" + brackets).c_str (), ": line 1, column 1: a value is expected");
  says ("[{\"half-axes\": [1,", ": line 1, column 19: the file ends where a value is expected");
  std::string many = "[";
  for (int i = 0; i < 65537; i++)
    many += std::string (i ? "," : "") + R"({"half-axes": [1, 1], "value": 1})";
  says ((many + "]").c_str (), ": more than 65536 ellipsoids");
  says ("[{\"value\": 1, \"value\": 2}]", ": line 1, column 15: the key 'value' occurs twice");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/simulate/line-integrals", test_projections_are_line_integrals);
  g_test_add_func ("/simulate/supersampling", test_supersampling_averages_over_the_bin);
  g_test_add_func ("/simulate/mass", test_mass_and_centre_are_the_phantoms);
  g_test_add_func ("/simulate/half-turn", test_half_a_turn_mirrors);
  g_test_add_func ("/simulate/cut", test_does_not_depend_on_the_cut);
  g_test_add_func ("/simulate/wrong-properties", test_properties_that_are_wrong);
  g_test_add_func ("/simulate/wrong-lists", test_lists_that_are_wrong);
  return g_test_run ();
}

} // namespace sino::test::simulate_test
