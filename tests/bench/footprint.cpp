// SPDX-License-Identifier: LGPL-3.0-or-later
// Voxel updates per second of footprints, forward and back, the best of several runs:
//   bench-footprint [columns] [views] [threads] [runs]
// and the difference between <A x, y> and <x, A' y>.
#include "filters/projector/footprints.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <hwy/aligned_allocator.h>
#include <numbers>

using namespace sino;

namespace {

double best (int runs, const auto &work)
{
  double least = 1e9;
  for (int i = 0; i < runs; i++) {
    const auto begin = std::chrono::steady_clock::now ();
    work ();
    least = std::min (least, std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count ());
  }
  return least;
}

// Numbers of [0, 1) in the first `used` values of each line.
auto random_lines (int64_t n, int64_t line, int64_t used, uint32_t seed)
{
  auto values = hwy::AllocateAligned<float> (static_cast<size_t> (n));
  for (int64_t i = 0; i < n; i++)
    values[static_cast<size_t> (i)] =
        i % line < used ? static_cast<float> ((static_cast<uint32_t> (i) + seed) * 2654435761U >> 8 & 0xffff) / 65536
                        : 0;
  return values;
}

double product (const float *a, const float *b, int64_t n, int64_t line, int64_t used)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    if (i % line < used)
      sum += static_cast<double> (a[i]) * static_cast<double> (b[i]);
  return sum;
}

} // namespace

int main (int argc, char **argv)
{
  const auto number = [&] (int i, int usual) { return argc > i ? std::atoi (argv[i]) : usual; };
  const int64_t n = number (1, 256), views = number (2, 256);
  const int threads = number (3, 2), runs = number (4, 3);
  std::vector<double> angles;
  for (int64_t i = 0; i < views; i++)
    angles.push_back (2 * std::numbers::pi * static_cast<double> (i) / static_cast<double> (views));
  const auto wide = static_cast<double> (n);
  const ScanSetup setup{.source_origin = 3 * wide,
                        .origin_detector = 1.5 * wide,
                        .pixel_width = 1.5,
                        .pixel_height = 1.5,
                        .column = wide / 2,
                        .row = wide / 2};
  const double middle = 0.5 - 0.5 * wide;
  const auto scene =
      footprint::scene_of (views_of (setup, angles), n, n, {{middle, middle, middle}, 1, n, n, n}, HUGE_VAL);
  const auto voxels = scene.voxels (), bins = views * scene.bins ();
  const auto x = random_lines (voxels, scene.line, n, 0), y = random_lines (bins, scene.column, n, 77);
  const auto back = random_lines (voxels, scene.line, 0, 0), ax = random_lines (bins, scene.column, 0, 0),
             copy = random_lines (bins, scene.column, 0, 0);

  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  Bill bill;
  projector::Footprints::memory (scene, threads, bill);
  Allotment memory (bill);
  const projector::Footprints pair (scene, cpu, monitor, memory);
  const double forward = best (runs, [&] { pair.forward (x.get (), {0, views}, ax.get ()); });
  const double backward = best (runs, [&] {
    std::fill_n (back.get (), voxels, 0.0F);
    std::copy_n (y.get (), bins, copy.get ());
    pair.adjoint (copy.get (), {0, views}, back.get ());
  });
  const double updates = std::pow (wide, 3) * static_cast<double> (views) * 1e-9;
  std::printf ("%d^3, %d views, %d threads: forward %.2f, back %.2f GUPS; <A x, y> / <x, A' y> - 1 = %.1e\n",
               static_cast<int> (n), static_cast<int> (views), threads, updates / forward, updates / backward,
               product (ax.get (), y.get (), bins, scene.column, n) /
                       product (x.get (), back.get (), voxels, scene.line, n) -
                   1);
}
