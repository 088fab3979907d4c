// SPDX-License-Identifier: LGPL-3.0-or-later
// Upright views, whose rays are computed a column of pixels at a time: against sums in float64, ray by ray, with every
// set of instructions, in volumes of several slabs and bricks; and in parts of any size. 3 s.
#include "filters/projector/projector.hpp"
#include "kernels/forward-project/joseph.hpp"
#include <cmath>
#include <functional>
#include <glib.h>
#include <hwy/targets.h>
#include <random>

namespace sino::test::forward_project_sheets_test {

namespace {

using projector::Projector;

struct Case {
  const char *name;
  std::vector<View> views;
  int64_t rows = 90, columns = 61;
  kernels::Volume volume{{-17.4, -19.3, -41.2}, 1, 37, 41, 83}; // off the axis
  bool sheets = true;                                           // whether some of its rays are sheets
};

std::vector<Case> cases ()
{
  const std::vector<double> angles{0.1, 0.8, 1.6, 3, 4.4};
  const ScanSetup parallel{.pixel_width = 0.95, .pixel_height = 1, .column = 30.3, .row = 44.6};
  auto cone = parallel;
  cone.source_origin = 200, cone.origin_detector = 90;
  cone.pixel_width = 1.4, cone.pixel_height = 1.45;      // rays are 0.9 to 1.1 voxels apart
  const auto with = [&] (ScanSetup setup, double size) { // size of pixels
    setup.pixel_width *= size, setup.pixel_height *= size;
    return views_of (setup, angles);
  };
  auto fine = with (cone, 0.3), inclined = views_of (parallel, angles);
  auto coarse = with (cone, 2.3);
  auto lifted = cone;
  lifted.lift = 7;
  for (auto &view : inclined)
    view.source.z = 0.3;
  auto few_rows = parallel;
  few_rows.row = 19.6;
  // Where these rays enter, they are 70 voxels above the upper slab, and in it where they leave.
  const ScanSetup far{.source_origin = 300,
                      .origin_detector = 100,
                      .pixel_width = 1.3,
                      .pixel_height = 1.3,
                      .column = 20.3,
                      .row = 3.1};
  auto raised = views_of (far, std::vector<double>{0.02, 3.12});
  for (auto &view : raised)
    view.source.z = 230;
  // Seen from the source, some rays go along lines of the brick whose middle line is the source's.
  const ScanSetup near{
      .source_origin = 25, .origin_detector = 25, .pixel_width = 2, .pixel_height = 2, .column = 45.3, .row = 24.2};
  return {{"cone", views_of (cone, angles)},
          {"parallel", views_of (parallel, angles)},
          {"parallel, steps of 1.4", with (parallel, 1.4)},
          {"parallel, inclined", inclined},
          {"helix", views_of (lifted, angles)},
          {"many pixels to a voxel", fine, 130, 90},
          {"many voxels to a pixel", coarse, 40, 30},
          {"parallel, few rows", views_of (few_rows, angles), 40, 61, {{-17.4, -19.3, -64.7}, 1, 37, 41, 130}},
          {"raised source", raised, 40, 41, {{-9.4, -79.3, -41.2}, 1, 20, 160, 83}},
          {"near source",
           views_of (near, std::vector<double>{0, 1.57}),
           48,
           90,
           {{-15.5, -15.5, -7}, 1, 32, 32, 15},
           false},
          {"one slice", views_of (cone, angles), 90, 61, {{-17.4, -19.3, 3}, 1, 37, 41, 1}},
          {"one column", views_of (cone, angles), 90, 61, {{3, -2, -41.2}, 1, 1, 1, 83}}};
}

Block zeros (Format format, Region region)
{
  auto block = make_block (std::make_shared<const Format> (std::move (format)), {}, region);
  std::fill_n (block.as<float> (), block.values (), 0.0F);
  return block;
}

Block slices_of (const Case &scan, Interval z)
{
  const auto &box = scan.volume;
  return zeros (slices (Element::f32, {Axis::z, box.slices}, {Axis::y, box.lines}, {Axis::x, box.columns}),
                {z, {0, 1}});
}

Block projections_of (const Case &scan, Interval angles, Interval rows)
{
  return zeros (sino::projections (Element::f32, {Axis::angle, std::ssize (scan.views)}, {Axis::row, scan.rows},
                                   {Axis::column, scan.columns}),
                {rows, angles});
}

void fill_random (Block &block, unsigned seed)
{
  std::mt19937 random (seed);
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < block.values (); i++)
    block.as<float> ()[i] = normal (random);
}

// Calls visit (ray, what its pixel gets of it, pixel) for all rays of a scan, one by one.
void for_rays (const Case &scan, const std::function<void (const forward_project::Ray &, double, int64_t)> &visit)
{
  int64_t line = 0;
  for (const auto &view : scan.views) {
    const auto detector = forward_project::detector_of (view, scan.columns, scan.volume);
    forward_project::Rays rays;
    for (int64_t row = 0; row < scan.rows; row++, line++) {
      find_rays (scan.volume, detector, row, rays);
      for (int64_t i = 0; i < rays.size (); i++)
        if (const auto u = i % rays.stride; u < rays.line)
          visit (rays.at (i), rays.at (i).length / (detector.across * detector.down),
                 line * scan.columns + u / detector.across);
    }
  }
}

template <class T> double error_of (const Block &got, const std::vector<T> &wanted)
{
  double error = 0, size = 0;
  for (size_t i = 0; i < wanted.size (); i++) {
    const auto right = static_cast<double> (wanted[i]);
    error += std::pow (static_cast<double> (got.as<float> ()[i]) - right, 2);
    size += right * right;
  }
  g_assert_cmpfloat (size, >, 0);
  return std::sqrt (error / size);
}

Block forward (const Projector &projector, const Case &scan, const Block &x, Interval rows,
               const std::vector<int64_t> &cuts, int threads)
{
  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  Projector::Work work{cpu, monitor};
  std::vector<Block> out;
  out.push_back (projections_of (scan, {0, std::ssize (scan.views)}, rows));
  const auto slice = scan.volume.columns * scan.volume.lines;
  for (size_t i = 0; i + 1 < cuts.size (); i++) {
    auto some = slices_of (scan, {cuts[i], cuts[i + 1]});
    std::copy_n (x.as<float> () + cuts[i] * slice, some.values (), some.as<float> ());
    projector.forward (some, out, work);
  }
  projector.finish (out, work);
  return std::move (out[0]);
}

Block adjoint (const Projector &projector, const Case &scan, const Block &y, Interval slices,
               const std::vector<int64_t> &cuts, int threads)
{
  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  Projector::Work work{cpu, monitor};
  std::vector<Block> out;
  out.push_back (slices_of (scan, slices));
  const auto view = scan.columns * scan.rows;
  for (size_t i = 0; i + 1 < cuts.size (); i++) {
    auto some = projections_of (scan, {cuts[i], cuts[i + 1]}, {0, scan.rows});
    std::copy_n (y.as<float> () + cuts[i] * view, some.values (), some.as<float> ());
    projector.adjoint (some, out, work);
  }
  return std::move (out[0]);
}

// Places along z are floats of up to 64 voxels, right to 4e-6 voxels, and neighbouring values differ by more than their
// size.
void test_truth ()
{
  for (const auto &scan : cases ()) {
    const Projector projector (scan.views, scan.columns, scan.volume);
    g_assert_true ((projector.manner () != projector::Manner::rays) == scan.sheets);
    const Interval slices{0, scan.volume.slices}, angles{0, std::ssize (scan.views)}, rows{0, scan.rows};
    auto x = slices_of (scan, slices), y = projections_of (scan, angles, rows);
    fill_random (x, 1);
    fill_random (y, 2);
    const auto slice = scan.volume.columns * scan.volume.lines;
    std::vector<double> sums (static_cast<size_t> (y.values ()));
    std::vector<float> given (static_cast<size_t> (x.values ()));
    for_rays (scan, [&] (const forward_project::Ray &ray, double share, int64_t pixel) {
      for (int64_t z = 0; z < scan.volume.slices; z++) {
        sums[static_cast<size_t> (pixel)] += share * gathered (scan.volume, z, x.as<float> () + z * slice, ray);
        spread_ray (scan.volume, z, ray, share * static_cast<double> (y.as<float> ()[pixel]),
                    &given[static_cast<size_t> (z * slice)]);
      }
    });
    const auto supported = hwy::SupportedTargets ();
    for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
      hwy::SetSupportedTargetsForTest (supported & ~(target - 1));
      const double there = error_of (forward (projector, scan, x, rows, {0, slices.end}, 2), sums),
                   back = error_of (adjoint (projector, scan, y, slices, {0, 1, angles.end}, 2), given);
      g_test_message ("%s, %s: %.2g and %.2g", scan.name, hwy::TargetName (target), there, back);
      g_assert_cmpfloat (there, <, 5e-6);
      g_assert_cmpfloat (back, <, 5e-6);
    }
    hwy::SetSupportedTargetsForTest (0);
  }
}

// Blocks, work items, which begin anywhere in a slab and get only what they need, and threads change no bit.
void test_cuts ()
{
  for (const auto &scan : cases ()) {
    const Projector projector (scan.views, scan.columns, scan.volume);
    const Interval slices{0, scan.volume.slices}, angles{0, std::ssize (scan.views)}, rows{0, scan.rows};
    auto x = slices_of (scan, slices), y = projections_of (scan, angles, rows);
    fill_random (x, 3);
    fill_random (y, 4);
    const auto all = forward (projector, scan, x, rows, {0, slices.end}, 1);
    for (const Interval some : {Interval{0, scan.rows / 3}, Interval{scan.rows / 3, scan.rows}}) {
      const auto seen = projector.slices_seen (some);
      if (seen.empty ())
        continue;
      const auto part = forward (projector, scan, x, some, {seen.begin, seen.begin + seen.size () / 4, seen.end}, 2);
      for (int64_t i = 0; i < angles.size (); i++)
        g_assert_cmpmem (all.as<float> () + all.offset (i, some.begin),
                         static_cast<size_t> (some.size () * scan.columns) * 4, part.as<float> () + part.offset (i, 0),
                         static_cast<size_t> (some.size () * scan.columns) * 4);
    }
    const auto back = adjoint (projector, scan, y, slices, {0, angles.end}, 1);
    for (const Interval some : {Interval{0, (slices.end + 2) / 3}, Interval{(slices.end + 2) / 3, slices.end}}) {
      if (some.empty ())
        continue;
      const auto part = adjoint (projector, scan, y, some, {0, 2, angles.end}, 2);
      g_assert_cmpmem (back.as<float> () + back.offset (0, some.begin), static_cast<size_t> (part.values ()) * 4,
                       part.as<float> (), static_cast<size_t> (part.values ()) * 4);
    }
  }
}

template <class T> size_t bytes_of (const std::vector<T> &values)
{
  return values.capacity () * sizeof (T);
}

// Blocks of growing size, each from the first slice on, leave no more memory than is billed for the largest. 0.1 s.
void test_room ()
{
  const Monitor monitor;
  const Cpu cpu (2, monitor);
  for (const auto &scan : cases ()) {
    const Projector projector (scan.views, scan.columns, scan.volume);
    Projector::Work work{cpu, monitor};
    std::vector<Block> out;
    out.push_back (projections_of (scan, {0, std::ssize (scan.views)}, {0, scan.rows}));
    size_t largest = 0;
    for (const int64_t count : {10, 16, 40, 64}) {
      const auto slices = slices_of (scan, {0, std::min (count, scan.volume.slices)});
      largest = std::max (largest, static_cast<size_t> (slices.values ()) * sizeof (float));
      projector.forward (slices, out, work);
    }
    projector.finish (out, work);
    const auto held = bytes_of (work.kept) + bytes_of (work.transposed) + bytes_of (work.filled);
    g_test_message ("%s: %zu bytes of %zu", scan.name, held, projector.forward_work_bytes (largest));
    g_assert_cmpuint (held, <=, projector.forward_work_bytes (largest));
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/forward-project/sheets/truth", test_truth);
  g_test_add_func ("/forward-project/sheets/cuts", test_cuts);
  g_test_add_func ("/forward-project/sheets/room", test_room);
  return g_test_run ();
}

} // namespace sino::test::forward_project_sheets_test
