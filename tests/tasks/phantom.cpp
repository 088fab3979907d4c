// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices against the definition of the object, point by point, and against values that are published.
#include "tests/support/objects.hpp"
#include "tests/support/run-task.hpp"

namespace sino::test::phantom_test {

namespace {

using Properties = std::vector<std::pair<std::string, std::string>>;

Array draw (const Properties &properties, Cut cut = {})
{
  const auto task = make_task ("phantom", properties);
  return run_task (*task, {}, cut);
}

// The mean over n x n x n places of a pixel by definition, per pixel at density 2.
double truth (int64_t i, int64_t j, int64_t k, int width, int height, int n, double z0)
{
  double sum = 0;
  for (int s = 0; s < n * n * n; s++) {
    const double x = static_cast<double> (i) + (s % n + 0.5) / n - width / 2.0;
    const double y = static_cast<double> (j) + (s / n % n + 0.5) / n - width / 2.0;
    const double z = static_cast<double> (k) + (s / n / n + 0.5) / n - height / 2.0;
    const double half = width / 2.0;
    sum += crooked_at (x / half, -y / half, z0 - z / half) * 2 / half;
  }
  return sum / (n * n * n);
}

// Exact but for points that lie on an edge to the last bit, of which these sizes have none.
void test_is_the_object_by_definition ()
{
  const TemporaryFile file (crooked);
  struct Case {
    int width, height, n;
    double z;
  };
  for (const auto &[width, height, n, z] : {Case{31, 9, 1, 0}, Case{24, 30, 1, 0}, Case{17, 6, 3, 0.3}}) {
    const auto slices = draw ({{"object", file.path},
                               {"width", std::to_string (width)},
                               {"height", std::to_string (height)},
                               {"supersampling", std::to_string (n)},
                               {"z", std::to_string (z)}});
    g_assert_cmpint (slices.format.extent (Axis::z), ==, height);
    const float *value = slices.as<float> ();
    for (int64_t k = 0; k < height; k++)
      for (int64_t j = 0; j < width; j++)
        for (int64_t i = 0; i < width; i++)
          g_assert_cmpfloat_with_epsilon (*value++, truth (i, j, k, width, height, n, z), 1e-6);
  }
}

// The published values of the head's regions, at their places (x right, y up).
void test_shepp_logan_has_its_values ()
{
  struct Place {
    double x, y, value;
  };
  constexpr int width = 512;
  const auto at = [] (const Array &slices, const Place &p) {
    const auto i = static_cast<int> ((p.x + 1) * width / 2), j = static_cast<int> ((1 - p.y) * width / 2);
    return slices.as<float> ()[j * width + i] * width / 4.0;
  };
  const auto head = draw ({{"width", "512"}, {"object", "shepp-logan"}});
  for (const Place &p :
       {Place{0, 0.9, 1}, Place{0, 0.8, 0.2}, Place{0.22, 0, 0}, Place{-0.22, 0, 0}, Place{0, 0.35, 0.3},
        Place{0, 0.1, 0.3}, Place{0, -0.1, 0.3}, Place{-0.08, -0.605, 0.3}, Place{0.06, -0.605, 0.3}, Place{0.95, 0, 0},
        Place{0.3, 0.25, 0}, Place{-0.3, 0.25, 0}, Place{-0.35, 0.27, 0}})
    g_assert_cmpfloat_with_epsilon (at (head, p), p.value, 1e-6);
  const auto solid = draw ({{"width", "512"}, {"object", "shepp-logan-3d"}, {"z", "-0.25"}});
  for (const Place &p : {Place{0, 0.8, 0.2}, Place{0.22, 0, 0}, Place{-0.22, 0, 0}, Place{0, 0.35, 0.4},
                         Place{0, 0.1, 0.4}, Place{-0.08, -0.65, 0.3}, Place{0, -0.8, 0.2}})
    g_assert_cmpfloat_with_epsilon (at (solid, p), p.value, 1e-6);
}

// Each sector of rods holds the share of its area that triangles of discs two diameters apart cover.
void test_resolution_has_rods_of_falling_size ()
{
  constexpr int width = 1024;
  const auto slices = draw ({{"width", "1024"}, {"object", "resolution"}});
  double rods[6] = {};
  int changes[6] = {};
  for (int j = 0; j < width; j++)
    for (int i = 0; i < width; i++) {
      const double x = (i + 0.5) * 2 / width - 1, y = 1 - (j + 0.5) * 2 / width;
      const auto sector = static_cast<size_t> (std::fmod (std::atan2 (y, x) / std::numbers::pi * 3 + 6, 6));
      const double value = slices.as<float> ()[j * width + i] * width / 4.0;
      rods[sector] += value > 0.45;
      if (i > 0)
        changes[sector] += (value > 0.45) != (slices.as<float> ()[j * width + i - 1] * width / 4.0 > 0.45);
    }
  for (size_t s = 0; s < 6; s++) {
    // A disc in each cell of the triangular lattice covers pi / (8 sqrt 3) = 22.7 %, less at the rim and the margin.
    const double share = rods[s] / (std::numbers::pi * 0.95 * 0.95 / 6 * width * width / 4);
    g_assert_cmpfloat (share, >, 0.12);
    g_assert_cmpfloat (share, <, 0.227);
    if (s > 0)
      g_assert_cmpint (changes[s], >, changes[s - 1]);
  }
}

void test_does_not_depend_on_the_cut ()
{
  const Properties properties{{"object", "shepp-logan-3d"}, {"width", "48"}, {"height", "40"}, {"supersampling", "2"}};
  const auto whole = draw (properties, {0, 0, 1});
  for (const Cut cut : {Cut{1, 0, 2}, Cut{7, 0, 3}, Cut{40, 0, 2}}) {
    const auto parts = draw (properties, cut);
    g_assert_cmpmem (parts.bytes.data (), parts.bytes.size (), whole.bytes.data (), whole.bytes.size ());
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/phantom/definition", test_is_the_object_by_definition);
  g_test_add_func ("/phantom/shepp-logan", test_shepp_logan_has_its_values);
  g_test_add_func ("/phantom/resolution", test_resolution_has_rods_of_falling_size);
  g_test_add_func ("/phantom/cut", test_does_not_depend_on_the_cut);
  return g_test_run ();
}

} // namespace sino::test::phantom_test
