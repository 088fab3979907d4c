// SPDX-License-Identifier: LGPL-3.0-or-later
// Footprints against integrals through voxels with exact lengths, and against their own transpose, with every
// instruction set of this CPU. Costs 2 s.
#include "kernels/footprint/pair.hpp"
#include "tests/support/expect.hpp"
#include <cmath>
#include <functional>
#include <glib.h>
#include <hwy/aligned_allocator.h>
#include <hwy/targets.h>
#include <numbers>

namespace sino::test::iterative_cone_reconstruct_footprints_test {

namespace {

struct Case {
  const char *name;
  ScanSetup setup;
  int64_t angles, rows, columns; // of the scan
  int64_t size, slices;          // of the volume
  double voxel;
  double bound = 3e-3;      // of differences from the integrals, as a share of the largest one
  bool upside_down = false; // whether rows count against z
};

const std::vector<Case> &cases ()
{
  const ScanSetup cone{
      .source_origin = 140, .origin_detector = 70, .pixel_width = 1.5, .pixel_height = 1.4, .column = 25, .row = 23};
  const auto with = [&] (auto change) {
    auto setup = cone;
    change (setup);
    return setup;
  };
  static const std::vector<Case> all{
      {"cone", cone, 14, 46, 50, 45, 40, 1},
      {"middle ray off the middle", with ([] (auto &s) { s.column = 29.3, s.row = 17.7; }), 13, 46, 50, 45, 40, 1},
      {"small voxels", cone, 9, 40, 50, 90, 80, 0.5},
      {"large voxels", cone, 9, 46, 50, 24, 18, 1.9},
      {"helix", with ([] (auto &s) { s.lift = 30; }), 14, 46, 50, 45, 40, 1},
      {"rows against z", cone, 9, 46, 50, 45, 40, 1, 3e-3, true},
      {"tilted axis, parallel",
       with ([] (auto &s) { s.source_origin = 0, s.pixel_width = s.pixel_height = 1, s.axis_tilt = 0.5; }), 11, 46, 50,
       45, 40, 1, 6e-3}, // shadows of tilted voxels are no rectangles along rows
      {"yaw", with ([] (auto &s) { s.yaw = 0.1; }), 9, 46, 50, 45, 40, 1},
  };
  return all;
}

footprint::Scene scene_of (const Case &c)
{
  std::vector<double> angles;
  for (int64_t i = 0; i < c.angles; i++)
    angles.push_back (0.1 + 2 * std::numbers::pi * static_cast<double> (i) / static_cast<double> (c.angles));
  auto views = views_of (c.setup, angles);
  for (auto &view : views)
    if (c.upside_down) {
      view.corner = view.corner + static_cast<double> (c.rows) * view.row;
      view.row = -1 * view.row;
    }
  const auto first = [&] (int64_t n) { return (0.5 - 0.5 * static_cast<double> (n)) * c.voxel; };
  const footprint::Volume volume{{first (c.size), first (c.size), first (c.slices)}, c.voxel, c.size, c.size, c.slices};
  const auto *why = footprint::against_footprints (views, volume);
  g_assert_cmpstr (why, ==, nullptr);
  return footprint::scene_of (views, c.columns, c.rows, volume, 0.49 * static_cast<double> (c.size) * c.voxel);
}

// A pair with one scene, and memory for it.
class Pair
{
public:
  Pair (const footprint::Scene &s, int threads) : scene (s), cpu (threads, monitor)
  {
    Bill bill;
    footprint::Pair::memory (scene, threads, bill);
    memory = std::make_unique<Allotment> (bill);
    pair.emplace (scene, cpu, monitor, *memory);
  }

  using Values = hwy::AlignedFreeUniquePtr<float[]>;
  Interval views () const { return {0, std::ssize (scene.sights)}; }
  int64_t bins () const { return views ().size () * scene.bins (); }
  static Values zeros (int64_t n)
  {
    auto values = hwy::AllocateAligned<float> (static_cast<size_t> (n));
    std::fill_n (values.get (), n, 0.0F);
    return values;
  }
  Values forward (const Values &volume) const
  {
    auto projections = zeros (bins ());
    pair->forward (volume.get (), views (), projections.get ());
    return projections;
  }
  Values adjoint (const Values &projections) const
  {
    auto copy = zeros (bins ()), volume = zeros (scene.voxels ());
    std::copy_n (projections.get (), bins (), copy.get ());
    pair->adjoint (copy.get (), views (), volume.get ());
    return volume;
  }
  // Sets values to f (x, y, z) inside.
  Values volume_of (const std::function<double (int64_t, int64_t, int64_t)> &f) const
  {
    auto volume = zeros (scene.voxels ());
    for (int64_t y = 0; y < scene.volume.lines; y++) {
      const auto inside = scene.inside[static_cast<size_t> (y)];
      for (auto x = inside.begin; x < inside.end; x++)
        for (int64_t z = 0; z < scene.volume.slices; z++)
          volume[static_cast<size_t> ((y * scene.volume.columns + x) * scene.line + z)] =
              static_cast<float> (f (x, y, z));
    }
    return volume;
  }
  void each_bin (const std::function<void (int64_t view, int64_t column, int64_t row, size_t place)> &visit) const
  {
    for (int64_t v = 0; v < views ().size (); v++)
      for (int64_t u = 0; u < scene.columns; u++)
        for (int64_t r = 0; r < scene.rows; r++)
          visit (v, u, r, static_cast<size_t> (v * scene.bins () + u * scene.column + r));
  }

private:
  const footprint::Scene &scene;
  const Monitor monitor;
  const Cpu cpu;
  std::unique_ptr<Allotment> memory;
  std::optional<footprint::Pair> pair;
};

double product (const float *a, const float *b, int64_t n)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += static_cast<double> (a[i]) * static_cast<double> (b[i]);
  return sum;
}

uint32_t state = 1;
double random ()
{
  state = state * 1664525U + 1013904223U;
  return static_cast<double> (state >> 8) / (1 << 24);
}

void each_set (const std::function<void ()> &body)
{
  for (auto sets = hwy::SupportedTargets (); sets != 0; sets &= sets - 1) {
    hwy::SetSupportedTargetsForTest (sets & -sets);
    body ();
  }
  hwy::SetSupportedTargetsForTest (0);
}

void test_transpose ()
{
  for (const auto &c : cases ())
    each_set ([&] {
      const auto scene = scene_of (c);
      const Pair pair (scene, 2);
      const auto x = pair.volume_of ([] (auto, auto, auto) { return random (); });
      auto y = Pair::zeros (pair.bins ());
      pair.each_bin ([&] (auto, auto, auto, size_t i) { y[i] = static_cast<float> (random ()); });
      const auto ax = pair.forward (x), aty = pair.adjoint (y);
      double left = 0;
      pair.each_bin (
          [&] (auto, auto, auto, size_t i) { left += static_cast<double> (ax[i]) * static_cast<double> (y[i]); });
      const double right = product (x.get (), aty.get (), scene.voxels ());
      if (!(left > 0) || std::abs (left / right - 1) > 2e-7)
        g_error ("%s: <A x, y> = %.9g, <x, A' y> = %.9g", c.name, left, right);
    });
}

// The integral along a ray through voxels of constant values: the sum over the pieces between planes of their faces.
double integral (const footprint::Volume &box, const std::function<double (int64_t, int64_t, int64_t)> &voxel,
                 const Vector &from, const Vector &along)
{
  const double origin[] = {from.x, from.y, from.z}, step[] = {along.x, along.y, along.z};
  const double first[] = {box.first.x, box.first.y, box.first.z};
  const int64_t count[] = {box.columns, box.lines, box.slices};
  std::vector<double> cuts;
  for (int axis = 0; axis < 3; axis++)
    for (int64_t i = 0; i <= count[axis]; i++)
      if (step[axis] != 0)
        cuts.push_back ((first[axis] + (double (i) - 0.5) * box.size - origin[axis]) / step[axis]);
  std::ranges::sort (cuts);
  double sum = 0;
  for (size_t i = 1; i < cuts.size (); i++) {
    const double middle = 0.5 * (cuts[i - 1] + cuts[i]);
    int64_t at[3];
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
      at[axis] =
          static_cast<int64_t> (std::floor ((origin[axis] + middle * step[axis] - first[axis]) / box.size + 0.5));
      inside = inside && at[axis] >= 0 && at[axis] < count[axis];
    }
    if (inside)
      sum += (cuts[i] - cuts[i - 1]) * length (along) * voxel (at[0], at[1], at[2]);
  }
  return sum;
}

// The mean over a bin of the integrals along its rays.
double mean_of_bin (const footprint::Volume &box, const std::function<double (int64_t, int64_t, int64_t)> &voxel,
                    const View &view, int64_t column, int64_t row)
{
  constexpr int rays = 12;
  double sum = 0;
  for (int i = 0; i < rays; i++)
    for (int j = 0; j < rays; j++) {
      const auto spot = view.corner + (double (column) + (i + 0.5) / rays) * view.column +
                        (double (row) + (j + 0.5) / rays) * view.row;
      sum += view.parallel ? integral (box, voxel, spot - 300 * view.source, view.source)
                           : integral (box, voxel, view.source, spot - view.source);
    }
  return sum / (rays * rays);
}

// A blob, in bins drawn at random near its middle.
void test_integrals ()
{
  state = 1; // the same bins whatever instruction sets the CPU has
  constexpr double wide = 4.5;
  const double most = wide * std::sqrt (2 * std::numbers::pi);
  for (const auto &c : cases ()) {
    const auto scene = scene_of (c);
    const auto &box = scene.volume;
    const auto blob = [&] (int64_t i, int64_t j, int64_t k) {
      if (const auto inside = scene.inside[static_cast<size_t> (j)]; i < inside.begin || i >= inside.end)
        return 0.0;
      const auto off = box.first + box.size * Vector{double (i), double (j), double (k)} - Vector{3.3, -4.1, 2.2};
      return std::exp (-dot (off, off) / (2 * wide * wide));
    };
    struct Known {
      size_t place;
      double value;
    };
    std::vector<Known> known;
    for (int i = 0; i < 30; i++) {
      const auto v = static_cast<int64_t> (random () * double (c.angles));
      const auto &sight = scene.sights[static_cast<size_t> (v)];
      const auto spot = project (sight.matrix, {3.3, -4.1, 2.2});
      const auto u = static_cast<int64_t> (spot.column + 12 * random () - 6),
                 r = static_cast<int64_t> (spot.row + 12 * random () - 6);
      if (u >= 0 && u < c.columns && r >= 0 && r < c.rows)
        known.push_back ({static_cast<size_t> (v * scene.bins () + u * scene.column + r),
                          mean_of_bin (box, blob, sight.view, u, r)});
    }
    g_assert_cmpuint (known.size (), >, 10);
    each_set ([&] {
      const Pair pair (scene, 2);
      const auto ax = pair.forward (pair.volume_of (blob));
      double worst = 0;
      for (const auto &[place, value] : known)
        worst = std::max (worst, std::abs (static_cast<double> (ax[place]) - value) / most);
      if (!(worst < c.bound))
        g_error ("%s: integrals differ by %.2g of the largest", c.name, worst);
      g_test_message ("%s: %.2g", c.name, worst);
    });
  }
}

void test_threads ()
{
  const auto scene = scene_of (cases ()[0]);
  const Pair one (scene, 1), three (scene, 3);
  const auto x = one.volume_of ([] (auto, auto, auto) { return random (); });
  const auto a = one.forward (x), b = three.forward (x);
  g_assert_cmpmem (a.get (), static_cast<size_t> (one.bins ()) * 4, b.get (), static_cast<size_t> (one.bins ()) * 4);
  const auto back = one.adjoint (a), other = three.adjoint (a);
  g_assert_cmpmem (back.get (), static_cast<size_t> (scene.voxels ()) * 4, other.get (),
                   static_cast<size_t> (scene.voxels ()) * 4);
}

void test_refused ()
{
  const auto views_with = [] (auto change) {
    ScanSetup setup{
        .source_origin = 140, .origin_detector = 70, .pixel_width = 1.5, .pixel_height = 1.4, .column = 25, .row = 23};
    change (setup);
    return views_of (setup, std::vector<double>{0, 1, 2});
  };
  const footprint::Volume volume{{-22, -22, -20}, 1, 45, 45, 40};
  const auto why = [&] (auto change) { return footprint::against_footprints (views_with (change), volume); };
  g_assert_nonnull (why ([] (auto &s) { s.roll = 0.01; }));
  g_assert_nonnull (why ([] (auto &s) { s.pitch = 0.01; }));
  g_assert_nonnull (why ([] (auto &s) { s.axis_tilt = 0.3; }));
  g_assert_nonnull (why ([] (auto &s) { s.source_origin = 20; }));
  g_assert_nonnull (why ([] (auto &s) { s.pixel_width = 0.05; }));
  g_assert_nonnull (why ([] (auto &s) { s.pixel_height = 0.05; }));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/footprints/transpose", test_transpose);
  g_test_add_func ("/footprints/integrals", test_integrals);
  g_test_add_func ("/footprints/threads", test_threads);
  g_test_add_func ("/footprints/refused", test_refused);
  return g_test_run ();
}

} // namespace sino::test::iterative_cone_reconstruct_footprints_test
