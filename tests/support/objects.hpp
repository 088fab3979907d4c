// SPDX-License-Identifier: LGPL-3.0-or-later
// Objects of ellipsoids for tests: written to a file that the nodes read, and evaluated point by point.
#pragma once
#include <array>
#include <cmath>
#include <glib.h>
#include <glib/gstdio.h>
#include <numbers>
#include <string>
#include <vector>

namespace sino::test {

// A file that goes away.
struct TemporaryFile {
  std::string path;

  explicit TemporaryFile (const std::string &contents)
  {
    char *name = nullptr;
    g_close (g_file_open_tmp ("sinograph-XXXXXX.json", &name, nullptr), nullptr);
    path = name;
    g_free (name);
    g_assert_true (g_file_set_contents (path.c_str (), contents.c_str (), -1, nullptr));
  }
  TemporaryFile (const TemporaryFile &) = delete;
  TemporaryFile &operator= (const TemporaryFile &) = delete;
  ~TemporaryFile () { g_unlink (path.c_str ()); }
};

// Three ellipsoids without any symmetry, one of them tilted, in the object's coordinates (y and z up).
inline const char *const crooked = R"([
  {"centre": [0.1, -0.05, 0.02], "half-axes": [0.6, 0.45, 0.7], "rotation": 25, "value": 0.5},
  {"centre": [-0.2, 0.25, 0.1], "half-axes": [0.1, 0.3, 0.2], "rotation": [40, 30, -70], "value": -0.2},
  {"centre": [0.35, 0.3], "half-axes": [0.08, 0.12], "value": 1.5}
])";

// The same, from the definition: a point is turned back by each of the turns and then compared with a sphere.
inline double crooked_at (double x, double y, double z)
{
  struct Part {
    std::array<double, 3> centre, half_axes, turns;
    double value;
  };
  static const Part parts[] = {{{0.1, -0.05, 0.02}, {0.6, 0.45, 0.7}, {25, 0, 0}, 0.5},
                               {{-0.2, 0.25, 0.1}, {0.1, 0.3, 0.2}, {40, 30, -70}, -0.2},
                               {{0.35, 0.3, 0}, {0.08, 0.12, 1e30}, {0, 0, 0}, 1.5}};
  const auto turn = [] (double &a, double &b, double degrees) {
    const double c = std::cos (degrees * std::numbers::pi / 180), s = std::sin (degrees * std::numbers::pi / 180);
    const double was = a;
    a = c * was + s * b;
    b = c * b - s * was;
  };
  double sum = 0;
  for (const auto &part : parts) {
    double p[] = {x - part.centre[0], y - part.centre[1], z - part.centre[2]};
    turn (p[0], p[1], part.turns[0]);
    turn (p[1], p[2], part.turns[1]);
    turn (p[0], p[1], part.turns[2]);
    double r2 = 0;
    for (size_t i = 0; i < 3; i++)
      r2 += p[i] / part.half_axes[i] * p[i] / part.half_axes[i];
    sum += r2 <= 1 ? part.value : 0;
  }
  return sum;
}

} // namespace sino::test
