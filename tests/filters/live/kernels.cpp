// SPDX-License-Identifier: LGPL-3.0-or-later
// Planes of every direction, with every instruction set, against back-projection written out in float64; 2 s.
#include "base/half.hpp"
#include "kernels/live/add.hpp"
#include "kernels/live/keep.hpp"
#include "tests/support/instruction-sets.hpp"
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace sino::test::live_kernels_test {

using namespace live;

namespace {

constexpr int64_t places = 7;

struct Scan {
  Projections projections;
  std::vector<std::byte> memory;
  std::vector<float> truth; // [place][row][column], what the memory holds
  std::vector<Sight> sights;

  Scan (int64_t columns, int64_t rows, bool half, uint32_t seed) : projections{nullptr, half, columns, rows}
  {
    std::mt19937 random (seed);
    std::uniform_real_distribution<double> any (-1, 1);
    memory.resize (projections.bytes (places));
    projections.values = memory.data ();
    for (int64_t place = 0; place < places; place++) {
      for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column++)
          put (place, row, column, static_cast<float> (any (random)));
      const double angle = 4 * any (random);
      sights.push_back ({.place = place,
                         .cos = place == 3 ? 1 : std::cos (angle),
                         .sin = place == 3 ? 0 : std::sin (angle),
                         .origin = 0.5 * static_cast<double> (columns) + 3 * any (random),
                         .factor = place == 5 ? -1.0f : 1.0f});
    }
  }

  double value (int64_t place, int64_t row, int64_t column) const
  {
    if (row < 0 || row >= projections.rows || column < 0 || column >= projections.columns)
      return 0;
    return static_cast<double> (
        truth[static_cast<size_t> ((place * projections.rows + row) * projections.columns + column)]);
  }

  double between (int64_t place, double row, double column) const
  {
    const double r = std::floor (row), c = std::floor (column), below = row - r, right = column - c;
    const auto at = [&] (int64_t i, int64_t j) {
      return value (place, static_cast<int64_t> (r) + i, static_cast<int64_t> (c) + j);
    };
    return (1 - below) * ((1 - right) * at (0, 0) + right * at (0, 1)) +
           below * ((1 - right) * at (1, 0) + right * at (1, 1));
  }

  double pixel (const Plane &plane, int64_t line, int64_t column) const
  {
    const double i = static_cast<double> (column) - 0.5 * static_cast<double> (plane.width - 1),
                 j = static_cast<double> (line) - 0.5 * static_cast<double> (plane.height - 1);
    const double x = plane.x + i * plane.right[0] + j * plane.down[0],
                 y = plane.y + i * plane.right[1] + j * plane.down[1], row = plane.row + j * plane.down[2];
    double sum = 0;
    for (const auto &sight : sights)
      sum +=
          static_cast<double> (sight.factor) * between (sight.place, row, sight.origin + x * sight.cos - y * sight.sin);
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

std::vector<float> picture_of (const Scan &scan, const Plane &plane, int64_t at_once)
{
  std::vector<float> row (static_cast<size_t> (scan.projections.stride ())),
      picture (static_cast<size_t> (plane.stride () * plane.height));
  for (int64_t begin = 0; begin < plane.height; begin += at_once)
    add (scan.projections, scan.sights, plane, begin, std::min (begin + at_once, plane.height), row.data (),
         picture.data ());
  return picture;
}

void check (const Scan &scan, const Plane &plane)
{
  const auto picture = picture_of (scan, plane, tile_lines);
  g_assert_true (picture == picture_of (scan, plane, 5)); // however lines are handed out
  double most = 0;
  for (int64_t j = 0; j < plane.height; j++)
    for (int64_t i = 0; i < plane.width; i++)
      most = std::max (most, std::abs (static_cast<double> (picture[static_cast<size_t> (j * plane.stride () + i)]) -
                                       scan.pixel (plane, j, i)));
  // Places in a vector are float32, exact to 1e-6 of a column; values are up to 1, and seven are added.
  if (!(most < 2e-5))
    g_error ("%d x %d, halves %d, direction %g %g %g, row %g: the error is %.3g",
             static_cast<int> (scan.projections.columns), static_cast<int> (scan.projections.rows),
             scan.projections.half, plane.down[0], plane.down[1], plane.down[2], plane.row, most);
}

Plane plane_at (double turn, double tilt, double pixel, int64_t width, int64_t height)
{
  const double c = pixel * std::cos (turn), s = pixel * std::sin (turn);
  const bool level = tilt == 0, upright = tilt == 90;
  const double along = level ? 1 : upright ? 0 : std::cos (tilt), up = level ? 0 : upright ? 1 : std::sin (tilt);
  return {.x = 0,
          .y = 0,
          .row = 0,
          .right = {c, s},
          .down = {-s * along, c * along, pixel * up},
          .width = width,
          .height = height};
}

void test_planes ()
{
  std::mt19937 random (3);
  std::uniform_real_distribution<double> any (-1, 1);
  for_each_set ([&] {
    for (const bool half : {false, true})
      for (const int64_t columns : {1, 2, 17, 70})
        for (const double tilt : {0.0, 90.0, 0.6, -1.3})
          for (const double pixel : {1.0, 0.7})
            for (const bool between : {false, true}) {
              const Scan scan (columns, 21, half, static_cast<uint32_t> (random ()));
              auto plane = plane_at (3 * any (random), tilt, pixel, columns + 7, 53);
              plane.x = 5 * any (random), plane.y = 5 * any (random);
              plane.row = between ? 10 + 14 * any (random) : static_cast<double> (random () % 23) - 1;
              check (scan, plane);
            }
    // Lines that leave the detector on one side, and those that never reach it.
    for (const double side : {-1.0, 1.0})
      for (const double away : {20.0, 45.0, 90.0, 400.0})
        for (const double tilt : {0.0, 90.0, 0.6}) {
          const Scan scan (37, 9, any (random) < 0, 7);
          auto plane = plane_at (any (random), tilt, 1, 45, 37);
          plane.x = side * away, plane.y = any (random) * away, plane.row = 4;
          check (scan, plane);
        }
    // Lines along the rays, and along the detector.
    const Scan scan (40, 9, true, 5);
    for (const double turn : {0.0, G_PI_2}) {
      auto plane = plane_at (turn, 90, 1, 48, 15);
      plane.row = 4, plane.x = 2;
      check (scan, plane);
    }
  });
}

// What was added is taken away again, to the last bits of a float.
void test_taken_away ()
{
  const Scan scan (64, 9, true, 9);
  auto plane = plane_at (0.4, 0.8, 1, 64, 64);
  plane.row = 4;
  auto picture = picture_of (scan, plane, tile_lines);
  auto away = scan.sights;
  for (auto &sight : away)
    sight.factor = -sight.factor;
  std::vector<float> row (static_cast<size_t> (scan.projections.stride ()));
  add (scan.projections, away, plane, 0, plane.height, row.data (), picture.data ());
  for (const auto value : picture)
    g_assert_cmpfloat_with_epsilon (value, 0, 2e-6f);
}

// Rows of any length; values that are too large, and none.
void test_kept ()
{
  std::mt19937 random (4);
  std::uniform_real_distribution<float> exponents (-30, 20);
  for_each_set ([&] {
    for (const int64_t n : {1, 7, 16, 33, 200}) {
      std::vector<float> values;
      for (int64_t i = 0; i < n; i++)
        values.push_back (std::exp2 (exponents (random)) * (random () % 2 ? 1.0f : -1.0f));
      values[0] = INFINITY;
      if (n > 20)
        values[20] = NAN;
      std::vector<uint16_t> halves (static_cast<size_t> (n) + 1, 0xa5a5);
      const float weight = 1.7f;
      const auto large = keep_halves (values.data (), n, weight, halves.data ());
      int64_t expected = 0;
      for (size_t i = 0; i < values.size (); i++) {
        const float value = values[i] * weight;
        expected += !(std::abs (value) <= largest_half);
        if (std::isnan (value))
          g_assert_true (std::isnan (half_to_float (halves[i])));
        else
          g_assert_cmphex (halves[i], ==, half_from_float (std::clamp (value, -largest_half, largest_half)));
      }
      g_assert_cmpint (large, ==, expected);
      g_assert_cmphex (halves.back (), ==, 0xa5a5); // not ours
    }
  });
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/live/kernels/planes", test_planes);
  g_test_add_func ("/live/kernels/taken-away", test_taken_away);
  g_test_add_func ("/live/kernels/kept", test_kept);
  return g_test_run ();
}

} // namespace sino::test::live_kernels_test
