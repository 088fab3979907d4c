// SPDX-License-Identifier: LGPL-3.0-or-later
// Planes of cone and tilted beams, with every instruction set, against back-projection written out in float64; 1 s.
#include "base/half.hpp"
#include "kernels/live/add.hpp"
#include "kernels/live/cone.hpp"
#include "tests/support/instruction-sets.hpp"
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace sino::test::live_cone_kernels_test {

using namespace live;

namespace {

constexpr int64_t places = 5, columns = 41, rows = 23;

struct Scan {
  Projections projections;
  std::vector<std::byte> memory;
  std::vector<float> truth;
  std::vector<ConeSight> sights;

  Scan (bool half, const ScanSetup &setup, uint32_t seed) : projections{nullptr, half, columns, rows}
  {
    std::mt19937 random (seed);
    std::uniform_real_distribution<float> any (-1, 1);
    memory.resize (projections.bytes (places));
    projections.values = memory.data ();
    const double angles[places] = {0, 0.4, 2, 3.5, 5};
    const auto views = views_of (setup, angles);
    for (int64_t place = 0; place < places; place++) {
      for (int64_t i = 0; i < rows * columns; i++)
        put (place, i / columns, i % columns, any (random));
      sights.push_back ({.place = place,
                         .number = place + 10,
                         .matrix = matrix_of (views[static_cast<size_t> (place)]),
                         .factor = place == 3 ? -1.0f : 1.0f});
    }
  }

  double value (int64_t place, int64_t row, int64_t column) const
  {
    const bool seen = row >= 0 && row < rows && column >= 0 && column < columns;
    return seen ? static_cast<double> (truth[static_cast<size_t> ((place * rows + row) * columns + column)]) : 0;
  }

  double pixel (const Plane &plane, std::span<const Interval> turns, int64_t line, int64_t column) const
  {
    const double i = static_cast<double> (column) - 0.5 * static_cast<double> (plane.width - 1),
                 j = static_cast<double> (line) - 0.5 * static_cast<double> (plane.height - 1);
    const Vector at{plane.x + i * plane.right[0] + j * plane.down[0], plane.y + i * plane.right[1] + j * plane.down[1],
                    plane.row + j * plane.down[2]};
    double sum = 0;
    for (const auto &sight : sights) {
      const auto spot = project (sight.matrix, at);
      const double c = std::floor (spot.column - 0.5), r = std::floor (spot.row - 0.5);
      if (spot.weight < 1e-6 || std::abs (c) > 1e3 || std::abs (r) > 1e3)
        continue;
      if (!turns.empty () && turns[static_cast<size_t> (line)].place (sight.number) < 0)
        continue;
      const double right = spot.column - 0.5 - c, below = spot.row - 0.5 - r;
      const auto of = [&] (int64_t dr, int64_t dc) {
        return value (sight.place, static_cast<int64_t> (r) + dr, static_cast<int64_t> (c) + dc);
      };
      const double upper = (1 - right) * of (0, 0) + right * of (0, 1),
                   lower = (1 - right) * of (1, 0) + right * of (1, 1);
      sum += static_cast<double> (sight.factor) * ((1 - below) * upper + below * lower) / (spot.weight * spot.weight);
    }
    return sum;
  }

private:
  void put (int64_t place, int64_t row, int64_t column, float value)
  {
    const auto at = static_cast<size_t> (projections.offset (place, row) + column) * projections.value_size ();
    const auto half = half_from_float (value);
    if (projections.half)
      std::memcpy (&memory[at], &half, sizeof half);
    else
      std::memcpy (&memory[at], &value, sizeof value);
    truth.push_back (projections.half ? half_to_float (half) : value);
  }
};

void check (const Scan &scan, const Plane &plane, std::span<const Interval> turns = {})
{
  std::vector<float> picture (static_cast<size_t> (plane.stride () * plane.height)), other = picture;
  add_cone (scan.projections, scan.sights, plane, turns, 0, plane.height, picture.data ());
  for (int64_t begin = 0; begin < plane.height; begin += 5)
    add_cone (scan.projections, scan.sights, plane, turns, begin, std::min (begin + 5, plane.height), other.data ());
  g_assert_true (picture == other); // however lines are handed out
  double most = 0, largest = 1;
  for (int64_t j = 0; j < plane.height; j++)
    for (int64_t i = 0; i < plane.width; i++) {
      const double wanted = scan.pixel (plane, turns, j, i);
      largest = std::max (largest, std::abs (wanted));
      most = std::max (
          most, std::abs (static_cast<double> (picture[static_cast<size_t> (j * plane.stride () + i)]) - wanted));
    }
  if (!(most < 2e-5 * largest))
    g_error ("halves %d, direction %g %g %g, row %g: the error is %.3g of %.3g", scan.projections.half, plane.down[0],
             plane.down[1], plane.down[2], plane.row, most, largest);
}

Plane plane_at (double turn, double tilt, double pixel, int64_t width, int64_t height)
{
  const double c = pixel * std::cos (turn), s = pixel * std::sin (turn);
  return {.x = 3,
          .y = -2,
          .row = 1.3,
          .right = {c, s},
          .down = {-s * std::cos (tilt), c * std::cos (tilt), pixel * std::sin (tilt)},
          .width = width,
          .height = height};
}

std::vector<ScanSetup> setups ()
{
  const ScanSetup middle{.pixel_width = 1, .pixel_height = 1, .column = 0.5 * columns, .row = 0.5 * rows};
  auto cone = middle, turned = middle, tilted = middle, tilted_cone = middle;
  cone.source_origin = 70, cone.origin_detector = 30;
  turned = cone;
  turned.yaw = 0.1, turned.pitch = -0.2, turned.roll = 0.3, turned.column = 12, turned.pixel_height = 1.4;
  tilted.axis_tilt = 0.6;
  tilted_cone = cone;
  tilted_cone.axis_tilt = -0.4, tilted_cone.lift = 3;
  return {middle, cone, turned, tilted, tilted_cone};
}

void test_planes ()
{
  for_each_set ([&] {
    for (const bool half : {false, true})
      for (const auto &setup : setups ()) {
        const Scan scan (half, setup, 4);
        for (const double turn : {0.0, 0.7, G_PI_2})
          for (const double tilt : {0.0, G_PI_2, 0.6, -1.3})
            check (scan, plane_at (turn, tilt, 0.9, 53, 37));
      }
  });
}

// Lines that pass by the source, behind it, and beside the detector.
void test_far ()
{
  for_each_set ([&] {
    const Scan scan (true, setups ()[1], 5);
    for (const double away : {-300.0, -60.0, 60.0, 1000.0})
      for (const double turn : {0.0, 0.7, G_PI_2}) {
        auto plane = plane_at (turn, 0.5, 1, 61, 11);
        plane.y = away;
        check (scan, plane);
        plane.x = -away, plane.y = 3;
        check (scan, plane);
      }
  });
}

// Each line takes projections of its own.
void test_turns ()
{
  const Scan scan (true, setups ()[4], 6);
  const auto plane = plane_at (0.7, 0.5, 1, 30, 20);
  std::vector<Interval> turns;
  for (int64_t line = 0; line < plane.height; line++)
    turns.push_back ({10 + line / 7, 12 + line / 5});
  check (scan, plane, turns);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/live/cone-kernels/planes", test_planes);
  g_test_add_func ("/live/cone-kernels/far", test_far);
  g_test_add_func ("/live/cone-kernels/turns", test_turns);
  return g_test_run ();
}

} // namespace sino::test::live_cone_kernels_test
