// SPDX-License-Identifier: LGPL-3.0-or-later
// The pair without a node: one is the transpose of the other, in parts as well, and least squares by it find the volume
// again that projections were made of. 1 s.
#include "filters/projector/projector.hpp"
#include <cmath>
#include <glib.h>
#include <random>

namespace sino::test::forward_project_projector_test {

namespace {

using projector::Projector;

constexpr int64_t projections = 61, rows = 14, columns = 71;
const kernels::Volume volume{{-14.4, -16.3, -2.2}, 0.9, 33, 37, 6}; // off the axis, and wide enough for vectors

ScanSetup parallel ()
{
  return {.pixel_width = 0.6, .pixel_height = 0.6, .column = 35.3, .row = 7.2};
}

ScanSetup cone ()
{
  auto setup = parallel ();
  setup.source_origin = 90, setup.origin_detector = 30;
  return setup;
}

ScanSetup tilted (ScanSetup setup)
{
  setup.yaw = 0.1, setup.pitch = -0.15, setup.roll = 0.2, setup.axis_tilt = 0.4;
  return setup;
}

ScanSetup helix ()
{
  auto setup = cone ();
  setup.lift = 5;
  return setup;
}

struct Scan {
  const char *name;
  std::vector<View> views;
};

std::vector<Scan> scans ()
{
  std::vector<double> angles;
  for (int64_t i = 0; i < projections; i++)
    angles.push_back (0.2 + 2 * G_PI * static_cast<double> (i) / projections);
  return {{"parallel", views_of (parallel (), angles)},
          {"tilted parallel", views_of (tilted (parallel ()), angles)},
          {"cone", views_of (cone (), angles)},
          {"tilted cone", views_of (tilted (cone ()), angles)},
          {"helix", views_of (helix (), angles)}};
}

// Zeros.
Block slices_of (Interval z)
{
  static const auto format = std::make_shared<const Format> (
      slices (Element::f32, {Axis::z, volume.slices}, {Axis::y, volume.lines}, {Axis::x, volume.columns}));
  auto block = make_block (format, {}, {z, {0, 1}});
  std::fill_n (block.as<float> (), block.values (), 0.0F);
  return block;
}

Block projections_of (Interval angles, Interval some)
{
  static const auto format = std::make_shared<const Format> (
      sino::projections (Element::f32, {Axis::angle, projections}, {Axis::row, rows}, {Axis::column, columns}));
  auto block = make_block (format, {}, {some, angles});
  std::fill_n (block.as<float> (), block.values (), 0.0F);
  return block;
}

std::vector<Block> volume_in_parts ()
{
  return {slices_of ({0, 4}), slices_of ({4, volume.slices})};
}

std::vector<Block> scan_in_parts ()
{
  return {projections_of ({0, 17}, {0, 8}), projections_of ({17, projections}, {0, 8}),
          projections_of ({0, projections}, {8, rows})};
}

void fill_random (std::vector<Block> &blocks, unsigned seed)
{
  std::mt19937 random (seed);
  std::normal_distribution<float> normal;
  for (auto &block : blocks)
    for (int64_t i = 0; i < block.values (); i++)
      block.as<float> ()[i] = normal (random);
}

double product (const std::vector<Block> &a, const std::vector<Block> &b)
{
  double sum = 0;
  for (size_t n = 0; n < a.size (); n++)
    for (int64_t i = 0; i < a[n].values (); i++)
      sum += static_cast<double> (a[n].as<float> ()[i]) * static_cast<double> (b[n].as<float> ()[i]);
  return sum;
}

// a = s a + t b.
void combine (std::vector<Block> &a, double s, double t, const std::vector<Block> &b)
{
  for (size_t n = 0; n < a.size (); n++)
    for (int64_t i = 0; i < a[n].values (); i++) {
      auto &value = a[n].as<float> ()[i];
      value = static_cast<float> (s * static_cast<double> (value) + t * static_cast<double> (b[n].as<float> ()[i]));
    }
}

struct Pair {
  const Projector projector;
  const Monitor monitor;
  const Cpu cpu{2, monitor};
  Projector::Work work{cpu, monitor};

  explicit Pair (const Scan &scan) : projector (scan.views, columns, volume) {}

  std::vector<Block> forward (const std::vector<Block> &x)
  {
    auto all = scan_in_parts ();
    for (const auto &block : x)
      projector.forward (block, all, work);
    projector.finish (all, work);
    return all;
  }
  std::vector<Block> adjoint (const std::vector<Block> &y)
  {
    auto all = volume_in_parts ();
    for (const auto &block : y)
      projector.adjoint (block, all, work);
    return all;
  }
};

// <A x, y> = <x, A^T y>. y is random with a share of A x, so that the products are not almost 0.
void test_transpose ()
{
  for (const auto &scan : scans ()) {
    Pair pair (scan);
    auto x = volume_in_parts (), y = scan_in_parts ();
    fill_random (x, 1);
    fill_random (y, 2);
    const auto ax = pair.forward (x);
    combine (y, 1, std::sqrt (product (y, y) / product (ax, ax)), ax);
    const double left = product (ax, y), right = product (x, pair.adjoint (y));
    g_test_message ("%s: %.9g and %.9g", scan.name, left, right);
    g_assert_cmpfloat (left, >, 0);
    g_assert_cmpfloat (std::abs (left - right), <, 1e-6 * left);
  }
}

// Zeros are skipped: they give what numbers give that are too small to count.
void test_zeros ()
{
  for (const auto &scan : scans ()) {
    Pair pair (scan);
    auto x = volume_in_parts (), y = volume_in_parts ();
    fill_random (x, 4);
    fill_random (y, 4);
    for (size_t n = 0; n < x.size (); n++)
      for (int64_t i = 0; i < x[n].values (); i++)
        if (i / 5 % 17 > 1) { // a few voxels stay in some lines
          x[n].as<float> ()[i] = 0;
          y[n].as<float> ()[i] = 1e-30F;
        }
    const auto ax = pair.forward (x), ay = pair.forward (y);
    g_assert_cmpfloat (product (ax, ax), >, 0);
    for (size_t n = 0; n < ax.size (); n++)
      for (int64_t i = 0; i < ax[n].values (); i++)
        g_assert_cmpfloat (std::abs (ax[n].as<float> ()[i] - ay[n].as<float> ()[i]), <, 1e-6);
  }
}

// Conjugate gradients (M. R. Hestenes, E. Stiefel 1952), where the detector sees all of the volume.
void test_least_squares ()
{
  const auto all = scans ();
  for (const auto &scan : {all[0], all[2]}) {
    Pair pair (scan);
    auto truth = volume_in_parts (), x = volume_in_parts ();
    fill_random (truth, 3);
    auto rest = pair.forward (truth);
    auto step = pair.adjoint (rest);
    double gradient = product (step, step);
    for (int i = 0; i < 30; i++) {
      const auto seen = pair.forward (step);
      const double far = gradient / product (seen, seen);
      combine (x, 1, far, step);
      combine (rest, 1, -far, seen);
      const auto next = pair.adjoint (rest);
      const double before = gradient;
      gradient = product (next, next);
      combine (step, gradient / before, 1, next);
    }
    const double size = product (truth, truth);
    combine (x, 1, -1, truth);
    const double error = std::sqrt (product (x, x) / size);
    g_test_message ("%s: %.3g", scan.name, error);
    g_assert_cmpfloat (error, <, 0.2);
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/forward-project/projector/transpose", test_transpose);
  g_test_add_func ("/forward-project/projector/zeros", test_zeros);
  g_test_add_func ("/forward-project/projector/least-squares", test_least_squares);
  return g_test_run ();
}

} // namespace sino::test::forward_project_projector_test
