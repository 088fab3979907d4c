// SPDX-License-Identifier: LGPL-3.0-or-later
// Speed of the native back-projection kernel, and its ratio to plain loops over the same data:
//   bench-back-project [size] [projections] [runs]
#include "back-project/native.hpp"
#include "device/cpu.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <hwy/targets.h>
#include <memory>
#include <sys/mman.h>
#include <vector>

using namespace sino;
using namespace sino::back_project;

namespace {

using Memory = std::unique_ptr<std::byte, decltype (&std::free)>;

Memory allocate (size_t n)
{
  constexpr size_t huge = 2 << 20;
  n = (n + huge - 1) / huge * huge;
  Memory memory (static_cast<std::byte *> (std::aligned_alloc (huge, n)), std::free);
  madvise (memory.get (), n, MADV_HUGEPAGE);
  std::fill_n (memory.get (), n, std::byte{0});
  return memory;
}

double median_seconds (int runs, const auto &work)
{
  std::vector<double> seconds;
  for (int i = 0; i < runs; i++) {
    const auto begin = std::chrono::steady_clock::now ();
    work ();
    seconds.push_back (std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count ());
  }
  std::sort (seconds.begin (), seconds.end ());
  return seconds[seconds.size () / 2];
}

// One slice as the definition says, in float: what the compiler makes of plain code.
void plain (const Job &job, const float *bins, float *out)
{
  const auto n = job.size;
  for (int64_t y = 0; y < n; y++)
    for (int64_t x = 0; x < n; x++) {
      float sum = 0;
      for (size_t k = 0; k < job.rays.size (); k++) {
        const auto &ray = job.rays[k];
        const auto dx = static_cast<double> (x) + 0.5 - 0.5 * static_cast<double> (n);
        const auto dy = static_cast<double> (y) + 0.5 - 0.5 * static_cast<double> (n);
        const double u = ray.origin + dx * ray.cos - dy * ray.sin;
        const double left = std::floor (u);
        const auto w = static_cast<float> (u - left);
        const auto i = static_cast<int64_t> (left);
        const float *p = bins + static_cast<int64_t> (k) * n;
        if (i >= 0 && i < n)
          sum += ray.weight * (1 - w) * p[i];
        if (i + 1 >= 0 && i + 1 < n)
          sum += ray.weight * w * p[i + 1];
      }
      out[y * n + x] = sum;
    }
}

double kernel_gups (Job job, int lanes, bool half, bool nearest, int threads, int runs)
{
  job.lanes = lanes;
  job.half = half;
  job.nearest = nearest;
  const auto values = static_cast<size_t> (lanes) * static_cast<size_t> (job.size) * job.rays.size ();
  const auto bins = allocate (values * (half ? 2 : 4));
  for (size_t i = 0; i < values; i++)
    if (half)
      reinterpret_cast<uint16_t *> (bins.get ())[i] = 0x3c00;
    else
      reinterpret_cast<float *> (bins.get ())[i] = 1;
  job.bins = bins.get ();
  const auto pixels = static_cast<size_t> (job.size * job.size);
  const auto out = allocate (pixels * static_cast<size_t> (lanes) * 4);
  std::vector<float *> slices;
  for (size_t i = 0; i < static_cast<size_t> (lanes); i++)
    slices.push_back (reinterpret_cast<float *> (out.get ()) + i * pixels);

  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  const TileGrid grid (job.roi);
  const auto seconds = median_seconds (runs, [&] {
    cpu.parallel (grid.count (), 1, [&] (int64_t begin, int64_t end) {
      const auto scratch = allocate (scratch_size (lanes));
      for (auto i = begin; i < end; i++)
        back_project_tile (job, grid.x (i), grid.y (i), slices, scratch.get ());
    });
  });
  return static_cast<double> (pixels * job.rays.size ()) * lanes / seconds / 1e9;
}

} // namespace

int main (int argc, char **argv)
{
  const int size = argc > 1 ? atoi (argv[1]) : 1024, projections = argc > 2 ? atoi (argv[2]) : 256;
  const int runs = argc > 3 ? atoi (argv[3]) : 5;
  std::vector<Ray> rays;
  for (int k = 0; k < projections; k++) {
    const double angle = M_PI * k / projections;
    rays.push_back ({std::cos (angle), std::sin (angle), 0.5 * size - 0.5, static_cast<float> (M_PI / projections)});
  }
  const Job job{nullptr, false, 1, size, rays, false, false, {0, 0, size, size}};

  auto small = job;
  small.size = std::min (size, 256);
  const auto pixels = static_cast<size_t> (small.size * small.size);
  const std::vector<float> bins (static_cast<size_t> (small.size) * rays.size (), 1.0f);
  std::vector<float> slice (pixels);
  const auto seconds = median_seconds (3, [&] { plain (small, bins.data (), slice.data ()); });
  const double reference = static_cast<double> (pixels * rays.size ()) / seconds / 1e9;
  printf ("plain loops, one thread: %.3f GUPS\n", reference);

  printf ("%-8s %5s %-8s %-7s %8s %8s %8s\n", "set", "lanes", "bins", "", "1 thread", "2", "ratio");
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (target);
    for (const int lanes : {1, 2, 4, 8, 16, 32})
      for (const bool half : {false, true})
        for (const bool nearest : {false, true}) {
          const double one = kernel_gups (job, lanes, half, nearest, 1, runs);
          const double two = kernel_gups (job, lanes, half, nearest, 2, runs);
          printf ("%-8s %5d %-8s %-7s %8.2f %8.2f %8.1f\n", instruction_set (), lanes, half ? "half" : "float",
                  nearest ? "nearest" : "linear", one, two, one / reference);
        }
  }
}
