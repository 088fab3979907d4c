// SPDX-License-Identifier: LGPL-3.0-or-later
// Speed of the native back-projection kernel with every instruction set that the CPU has, which 'sinograph bench'
// cannot choose, and its ratio to plain loops over the same data:
//   bench-back-project [size] [projections] [runs] [lanes or 0] [instruction set]
// GUPS are those of the median run by the wall clock, and by the CPU's time as if each thread had a core to itself,
// which holds on a busy machine too.
#define HWY_WANT_AVX3_DL 1 // as the kernel
#include "device/cpu.hpp"
#include "kernels/back-project/native/cell.hpp"
#include "kernels/back-project/native/stack.hpp"
#include "kernels/back-project/plain.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
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

struct Seconds {
  double wall, cpu;
};

double cpu_seconds ()
{
  return static_cast<double> (std::clock ()) / CLOCKS_PER_SEC;
}

Seconds median_seconds (int runs, const auto &work)
{
  std::vector<double> wall, cpu;
  for (int i = 0; i < runs; i++) {
    const auto begin = std::chrono::steady_clock::now ();
    const double cpu_begin = cpu_seconds ();
    work ();
    wall.push_back (std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count ());
    cpu.push_back (cpu_seconds () - cpu_begin);
  }
  const auto middle = runs / 2;
  std::nth_element (wall.begin (), wall.begin () + middle, wall.end ());
  std::nth_element (cpu.begin (), cpu.begin () + middle, cpu.end ());
  return {wall[static_cast<size_t> (middle)], cpu[static_cast<size_t> (middle)]};
}

Seconds kernel_seconds (Job job, int lanes, bool half, Interpolation interpolation, Precision precision, int threads,
                        int runs)
{
  job.lanes = lanes;
  job.half = half;
  job.interpolation = interpolation;
  job.precision = precision;
  const auto values = static_cast<size_t> (lanes) * static_cast<size_t> (job.size) * job.rays.size ();
  const auto bins = allocate (values * (half ? 2 : 4));
  for (size_t i = 0; i < values; i++)
    if (half)
      reinterpret_cast<uint16_t *> (bins.get ())[i] = 0x3c00;
    else
      reinterpret_cast<float *> (bins.get ())[i] = 1;
  StackProjector stack (job);
  const auto pixels = static_cast<size_t> (job.size * job.size);
  const auto out = allocate (pixels * static_cast<size_t> (lanes) * 4);
  std::vector<float *> slices;
  for (size_t i = 0; i < static_cast<size_t> (lanes); i++)
    slices.push_back (reinterpret_cast<float *> (out.get ()) + i * pixels);

  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  const TileGrid grid (job.roi);
  return median_seconds (runs, [&] {
    const auto rays = [&] (const auto &body) {
      cpu.parallel (std::ssize (job.rays), 16, [&] (int64_t begin, int64_t end) {
        body (static_cast<size_t> (begin), static_cast<size_t> (end));
      });
    };
    if (stack.measures ()) {
      rays ([&] (size_t begin, size_t end) { stack.measure (bins.get (), begin, end); });
      stack.settle ();
    }
    cpu.parallel (grid.count (), 1, [&] (int64_t begin, int64_t end) {
      static thread_local const auto scratch = allocate (1 << 20);
      for (auto i = begin; i < end; i++)
        stack.tile (bins.get (), grid.x (i), grid.y (i), slices, scratch.get ());
    });
  });
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
  const Job job{nullptr, false, 1, size, rays, Interpolation::linear, Precision::single, false, {0, 0, size, size}};

  auto small = job;
  small.size = std::min (size, 256);
  const auto pixels = static_cast<size_t> (small.size * small.size);
  const std::vector<float> bins (static_cast<size_t> (small.size) * rays.size (), 1.0f);
  small.bins = bins.data ();
  std::vector<float> slice (pixels);
  const auto seconds = median_seconds (3, [&] { plain (small, 0, small.size, slice.data ()); });
  const double reference = static_cast<double> (pixels * rays.size ()) / seconds.cpu / 1e9;
  printf ("plain loops, one thread: %.3f GUPS\n", reference);

  const struct {
    bool half;
    Interpolation interpolation;
    Precision precision;
    const char *name;
  } ways[] = {
      {false, Interpolation::linear, Precision::single, "linear"},
      {true, Interpolation::linear, Precision::single, "linear, half"},
      {false, Interpolation::linear, Precision::int16, "linear, int16"},
      {false, Interpolation::nearest, Precision::single, "nearest"},
      {false, Interpolation::oversample, Precision::single, "oversample"},
  };
  const int only_lanes = argc > 4 ? atoi (argv[4]) : 0;
  printf ("%-8s %5s %-16s %9s %9s %9s %9s %7s\n", "set", "lanes", "bins", "1 thread", "(cpu)", "2 threads", "(cpu)",
          "ratio");
  const auto supported = hwy::SupportedTargets ();
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    // What is not built for it takes the next best.
    hwy::SetSupportedTargetsForTest (supported & ~(target - 1));
    if (strcmp (instruction_set (), hwy::TargetName (target)) != 0 ||
        (argc > 5 && strcmp (instruction_set (), argv[5]) != 0))
      continue;
    for (const int lanes : {1, 2, 4, 8, 16, 32})
      for (const auto &[half, interpolation, precision, name] : ways) {
        if (only_lanes > 0 && lanes != only_lanes)
          continue;
        const double updates = 1e-9 * size * size * projections * lanes;
        const auto one = kernel_seconds (job, lanes, half, interpolation, precision, 1, runs);
        const auto two = kernel_seconds (job, lanes, half, interpolation, precision, 2, runs);
        printf ("%-8s %5d %-16s %9.2f %9.2f %9.2f %9.2f %7.1f\n", instruction_set (), lanes, name, updates / one.wall,
                updates / one.cpu, updates / two.wall, 2 * updates / two.cpu, updates / one.cpu / reference);
      }
  }
}
