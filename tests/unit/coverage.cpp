// SPDX-License-Identifier: LGPL-3.0-or-later
// What projections count: against integrals of what their directions see.
#include "stream/coverage.hpp"
#include "base/angle.hpp"
#include <cmath>
#include <glib.h>
#include <numbers>
#include <numeric>
#include <random>

namespace sino::test::coverage_test {

namespace {

constexpr double half = std::numbers::pi, turn = 2 * half;

std::vector<double> arc (double begin, double end, int n)
{
  std::vector<double> angles;
  for (int i = 0; i < n; i++)
    angles.push_back (radians (begin + (end - begin) * i / n));
  return angles;
}

// Largest error of weighted sums of exp (2 i m angle), m = 0 to 3, against the integral over half a turn: pi, and 0 for
// m > 0.
double error_of (const std::vector<double> &angles, const std::vector<double> &weights)
{
  double worst = 0;
  for (const int m : {0, 1, 2, 3}) {
    double c = 0, s = 0;
    for (size_t i = 0; i < angles.size (); i++) {
      c += weights[i] * std::cos (2 * m * angles[i]);
      s += weights[i] * std::sin (2 * m * angles[i]);
    }
    worst = std::max (worst, std::hypot (m == 0 ? c - half : c, s));
  }
  return worst;
}

bool uniform (const std::vector<double> &weights)
{
  const double mean = half / static_cast<double> (weights.size ());
  return std::ranges::all_of (weights, [&] (double w) { return w == mean; });
}

void even_angles_count_alike ()
{
  for (const double end : {180., -180., 360., 540., 720.})
    for (const int n : {3, 90, 625, 1501})
      g_assert_true (uniform (Directions (arc (17, 17 + end, n), half).shares ()));
  // As files with single precision round them.
  auto rounded = arc (0, 180, 1800);
  for (auto &angle : rounded)
    angle = radians (static_cast<double> (static_cast<float> (degrees (angle))));
  g_assert_true (uniform (Directions (rounded, half).shares ()));
  g_assert_true (uniform (Directions (arc (0, 180, 1), half).shares ()));
  g_assert_true (uniform (Directions (arc (0, 180, 2), half).shares ()));
}

void directions_count_once ()
{
  std::mt19937 random (5);
  for (const double range : {181., 190., 222.5, 240., 270., 330., 361., 450., 700.})
    for (const int n : {200, 361}) {
      auto angles = arc (-30, -30 + range, n);
      std::shuffle (angles.begin (), angles.end (), random);
      const auto weights = Directions (angles, half).shares ();
      g_assert_cmpfloat (error_of (angles, weights), <, 0.02);
      g_assert_true (std::ranges::all_of (weights, [] (double w) { return w >= 0; }));
    }
  // The truth would not see a mistake that leaves all alike.
  g_assert_cmpfloat (error_of (arc (0, 240, 240), std::vector<double> (240, half / 240)), >, 0.3);
}

void an_end_that_repeats_the_begin ()
{
  auto angles = arc (0, 180, 180);
  angles.push_back (half);
  const auto weights = Directions (angles, half).shares ();
  g_assert_cmpfloat (weights.front (), ==, weights.back ());
  g_assert_cmpfloat_with_epsilon (weights.front () * 2, weights[1], 1e-12);
}

// Projections of one direction: each counts as much as the others.
void repeated_angles ()
{
  std::vector<double> angles;
  for (int i = 0; i < 60; i++)
    for (int n = 0; n <= i % 4; n++)
      angles.push_back (radians (3 * i) + (n % 2) * half);
  const auto weights = Directions (angles, half).shares ();
  size_t at = 0;
  for (int i = 0; i < 60; i++)
    for (int n = 0; n <= i % 4; n++)
      g_assert_cmpfloat_with_epsilon (weights[at++], half / 60 / (1 + i % 4), 1e-9);
}

void golden_angles ()
{
  std::vector<double> angles;
  for (int i = 0; i < 300; i++)
    angles.push_back (i * half * (std::sqrt (5.0) - 1) / 2);
  g_assert_cmpfloat (error_of (angles, Directions (angles, half).shares ()), <, 0.002);
  g_assert_false (Directions (angles, half).widest_gap ().is_missing ());
}

void a_gap_belongs_to_nobody ()
{
  const auto angles = arc (10, 130, 120);
  g_assert_true (uniform (Directions (angles, half).shares ()));
  const auto gap = Directions (angles, half).widest_gap ();
  g_assert_true (gap.is_missing ());
  g_assert_cmpfloat_with_epsilon (degrees (gap.begin), 129, 1e-6);
  g_assert_cmpfloat_with_epsilon (degrees (gap.width), 61, 1e-6);
  g_assert_false (Directions (arc (0, 180, 7), half).widest_gap ().is_missing ());
}

void several_gaps ()
{
  auto angles = arc (0, 150, 150);
  for (const auto angle : arc (200, 330, 130))
    angles.push_back (angle);
  std::shuffle (angles.begin (), angles.end (), std::mt19937 (3));
  auto gaps = Directions (angles, turn).missing_gaps ();
  g_assert_cmpuint (gaps.size (), ==, 2);
  g_assert_cmpfloat_with_epsilon (degrees (gaps[0].begin), 149, 1e-6);
  g_assert_cmpfloat_with_epsilon (degrees (gaps[0].width), 51, 1e-6);
  g_assert_cmpfloat_with_epsilon (degrees (gaps[1].begin), 329, 1e-6);
  g_assert_cmpfloat_with_epsilon (degrees (gaps[1].width), 31, 1e-6);
  // Each direction twice: no step between them is a gap.
  angles = arc (0, 720, 720);
  g_assert_true (Directions (angles, turn).missing_gaps ().empty ());
  g_assert_cmpuint (Directions (angles, turn).count (), ==, 360);
  g_assert_cmpuint (Directions (arc (0, 3600, 4), turn).count (), ==, 2);
  g_assert_cmpuint (Directions (arc (0, 360, 1), turn).count (), ==, 1);
}

void the_other_side ()
{
  for (const int n : {5, 6, 10, 180, 625})
    g_assert_cmpfloat (Directions (arc (0, 180, n), turn).share_seen_twice (), ==, 0);
  auto closed = arc (0, 180, 10);
  closed.push_back (half);
  g_assert_cmpfloat (Directions (closed, turn).share_seen_twice (), ==, 0);
  for (const int n : {7, 12, 360, 625})
    g_assert_cmpfloat (Directions (arc (33, 393, n), turn).share_seen_twice (), ==, 1);
  g_assert_cmpfloat_with_epsilon (Directions (arc (0, 270, 270), turn).share_seen_twice (), 2. / 3, 0.02);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/coverage/even-angles-count-alike", even_angles_count_alike);
  g_test_add_func ("/coverage/directions-count-once", directions_count_once);
  g_test_add_func ("/coverage/an-end-that-repeats-the-begin", an_end_that_repeats_the_begin);
  g_test_add_func ("/coverage/repeated-angles", repeated_angles);
  g_test_add_func ("/coverage/golden-angles", golden_angles);
  g_test_add_func ("/coverage/a-gap-belongs-to-nobody", a_gap_belongs_to_nobody);
  g_test_add_func ("/coverage/several-gaps", several_gaps);
  g_test_add_func ("/coverage/the-other-side", the_other_side);
  return g_test_run ();
}

} // namespace sino::test::coverage_test
