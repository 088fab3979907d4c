// SPDX-License-Identifier: LGPL-3.0-or-later
// Views against the rays themselves: a point of the object is turned, tilted and moved in the room, and the ray through
// it is cut with the detector there.
#include "stream/view.hpp"
#include "base/error.hpp"
#include <cmath>
#include <glib.h>
#include <random>

namespace sino::test::view_test {

namespace {

void near (double a, double b, double tolerance = 1e-9)
{
  if (!(std::abs (a - b) <= tolerance * std::max (1.0, std::abs (b))))
    g_error ("%.15g is not %.15g", a, b);
}

void near (const Vector &a, const Vector &b, double tolerance = 1e-9)
{
  near (a.x, b.x, tolerance);
  near (a.y, b.y, tolerance);
  near (a.z, b.z, tolerance);
}

// Turns in the planes of two coordinates, written out.
Vector about_x (const Vector &v, double t)
{
  return {v.x, std::cos (t) * v.y - std::sin (t) * v.z, std::sin (t) * v.y + std::cos (t) * v.z};
}
Vector about_y (const Vector &v, double t)
{
  return {std::cos (t) * v.x + std::sin (t) * v.z, v.y, -std::sin (t) * v.x + std::cos (t) * v.z};
}
Vector about_z (const Vector &v, double t)
{
  return {std::cos (t) * v.x - std::sin (t) * v.y, std::sin (t) * v.x + std::cos (t) * v.y, v.z};
}

// Where the room's detector sees a point of the object.
Spot seen (const ScanSetup &setup, double angle, const Vector &shift, const Vector &point)
{
  auto moved = point + shift;
  moved.z += setup.lift * angle / (2 * G_PI);
  const auto p = about_x (about_z (moved, angle), setup.axis_tilt);
  const auto turned = [&] (const Vector &v) {
    return about_y (about_x (about_z (v, setup.yaw), setup.pitch), setup.roll);
  };
  const Vector middle{0, setup.origin_detector, 0}, source{0, -setup.source_origin, 0};
  const auto normal = turned ({0, 1, 0});
  const bool parallel = setup.source_origin == 0;
  const Vector direction = parallel ? Vector{0, 1, 0} : p - source;
  const double along = dot (normal, middle - p) / dot (normal, direction);
  const auto hit = p + along * direction - middle;
  return {setup.column + dot (hit, turned ({1, 0, 0})) / setup.pixel_width,
          setup.row + dot (hit, turned ({0, 0, 1})) / setup.pixel_height,
          parallel ? 1 : dot (normal, p - source) / dot (normal, middle - source)};
}

void test_room ()
{
  std::mt19937 noise (5);
  std::uniform_real_distribution<double> any (-1, 1);
  for (int turn = 0; turn < 500; turn++) {
    ScanSetup setup;
    setup.source_origin = turn % 3 == 0 ? 0 : 10 + 5 * any (noise);
    setup.origin_detector = 6 + 5 * any (noise);
    setup.pixel_width = 0.02 + 0.01 * any (noise);
    setup.pixel_height = 0.02 + 0.01 * any (noise);
    setup.column = 300 * any (noise);
    setup.row = 200 * any (noise);
    setup.yaw = 0.4 * any (noise);
    setup.pitch = 0.4 * any (noise);
    setup.roll = any (noise);
    setup.axis_tilt = any (noise);
    setup.lift = 3 * any (noise);
    const std::vector angles{7 * any (noise), 7 * any (noise)};
    if (turn % 2 == 0)
      setup.shifts = {{any (noise), any (noise), any (noise)}, {any (noise), any (noise), any (noise)}};
    const auto views = views_of (setup, angles);
    g_assert_cmpuint (views.size (), ==, 2);
    for (size_t i = 0; i < 2; i++) {
      const auto matrix = matrix_of (views[i]);
      const Vector point{3 * any (noise), 3 * any (noise), 3 * any (noise)};
      const auto got = project (matrix, point);
      const auto want = seen (setup, angles[i], setup.shifts.empty () ? Vector{0, 0, 0} : setup.shifts[i], point);
      near (got.column, want.column);
      near (got.row, want.row);
      near (got.weight, want.weight);
    }
  }
}

// What the page on geometry says of a parallel beam.
void test_parallel ()
{
  const std::vector angles{0.0, 0.3, G_PI / 2, 4.0};
  const auto views = views_of ({.column = 12.25, .row = 3}, angles);
  for (size_t i = 0; i < angles.size (); i++) {
    const auto spot = project (matrix_of (views[i]), {5, -7, 2});
    near (spot.column, 12.25 + 5 * std::cos (angles[i]) + 7 * std::sin (angles[i]));
    near (spot.row, 5);
    near (spot.weight, 1);
  }
}

// A matrix says all that a view says of where points are seen.
void test_back ()
{
  const std::vector angles{0.7, 2.9};
  for (const double distance : {0.0, 20.0}) {
    const ScanSetup setup{.source_origin = distance,
                          .origin_detector = 9,
                          .pixel_width = 0.1,
                          .pixel_height = 0.2,
                          .column = 40,
                          .row = 11,
                          .yaw = 0.1,
                          .pitch = -0.2,
                          .roll = 0.3,
                          .axis_tilt = 0.5};
    for (const auto &view : views_of (setup, angles))
      for (const double scale : {1.0, -3.5}) {
        auto matrix = matrix_of (view);
        for (auto &line : matrix)
          for (auto &value : line)
            value *= scale;
        const auto back = view_of (matrix, 0.1);
        g_assert_true (back.parallel == view.parallel);
        if (!view.parallel) {
          near (back.source, view.source);
          near (back.corner, view.corner);
          near (back.column, view.column);
          near (back.row, view.row);
        }
        const auto a = project (matrix_of (back), {1, 2, 3}), b = project (matrix_of (view), {1, 2, 3});
        near (a.column, b.column);
        near (a.row, b.row);
        near (a.weight, b.weight);
      }
  }
}

template <class Call> void fails (Call call, const char *message)
{
  try {
    call ();
  } catch (const Error &error) {
    g_assert_cmpstr (error.what (), ==, message);
    return;
  }
  g_error ("no error: %s", message);
}

void test_wrong ()
{
  const char *const edge = "the rays are parallel to the detector, or its columns to its rows";
  fails ([] { matrix_of ({false, {0, -1, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}}); }, edge);
  fails ([] { matrix_of ({true, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}); }, edge);
  fails ([] { matrix_of ({false, {0, -1, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}}); }, edge);
  fails ([] { view_of ({}, 1); }, "a matrix cannot have a last line of zeros");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/view/room", test_room);
  g_test_add_func ("/view/parallel", test_parallel);
  g_test_add_func ("/view/back", test_back);
  g_test_add_func ("/view/wrong", test_wrong);
  return g_test_run ();
}

} // namespace sino::test::view_test
