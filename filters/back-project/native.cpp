// SPDX-License-Identifier: LGPL-3.0-or-later
// Native back-projection; threads take tiles of the slice.
#include "filters/back-project/native.hpp"
#include "filters/slice/worker.hpp"
#include "kernels/back-project/native/stack.hpp"
#include <algorithm>
#include <cmath>

namespace sino::back_project {

namespace {

constexpr char sums_item[] = "sums and bins of a tile", peaks_item[] = "peaks of rays";

Job in_single_precision (const Job &job)
{
  Job single = job;
  single.precision = Precision::single;
  return single;
}

// The mean square of a slice.
double mean_square (const float *slice, int64_t pixels)
{
  constexpr int64_t line = 1024, side_by_side = 16;
  double sum = 0;
  for (int64_t begin = 0; begin < pixels; begin += line) {
    float part[side_by_side] = {};
    for (auto i = begin; i < std::min (begin + line, pixels); i++)
      part[i % side_by_side] += slice[i] * slice[i];
    for (const auto p : part)
      sum += static_cast<double> (p);
  }
  return sum / static_cast<double> (pixels);
}

class NativeWorker final : public slice::SliceWorker
{
public:
  NativeWorker (const Replica &replica, const Job &j, double most_error)
      : cpu (replica.cpu), monitor (replica.monitor), counters (replica.counters), job (j), tolerance (most_error),
        memory (replica.memory), stack (j), grid (j.roi)
  {
  }

protected:
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    const auto *bins = in.data () + offset;
    std::vector<float *> slices;
    for (const auto &slice : group)
      slices.push_back (slice.block->as<float> () + slice.offset / sizeof (float));
    compute (stack, bins, slices);
    if (tolerance > 0)
      repeat_coarse (bins, slices);
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  Counters &counters;
  const Job job;
  const double tolerance; // allowed error of a slice, relative, root mean square; 0: not checked
  Allotment &memory;
  StackProjector stack;
  TileGrid grid;

  void compute (StackProjector &with, const std::byte *bins, std::span<float *const> slices)
  {
    if (with.measures ()) {
      cpu.parallel (std::ssize (job.rays), 16, [&] (int64_t begin, int64_t end) {
        with.measure (bins, static_cast<size_t> (begin), static_cast<size_t> (end));
      });
      with.settle ();
    }
    cpu.parallel (grid.count (), 1, [&] (int64_t begin, int64_t end) {
      const auto sums = memory.take (sums_item);
      for (auto tile = begin; tile < end; tile++) {
        monitor.check ();
        with.tile (bins, grid.x (tile), grid.y (tile), slices, sums.as ());
      }
    });
  }

  // Computes slices whose error is above the tolerance again, in single precision.
  void repeat_coarse (const std::byte *bins, std::span<float *const> slices)
  {
    std::vector<float *> coarse (slices.size (), nullptr);
    cpu.parallel (std::ssize (slices), 1, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++) {
        auto *slice = slices[static_cast<size_t> (i)];
        const auto signal = mean_square (slice, job.roi.width * job.roi.height);
        const bool fine = stack.rounding_error (static_cast<int> (i)) <= tolerance * tolerance * signal;
        if (!fine || !std::isfinite (signal))
          coarse[static_cast<size_t> (i)] = slice;
      }
    });
    const auto n = std::ssize (coarse) - std::count (coarse.begin (), coarse.end (), nullptr);
    if (n == 0)
      return;
    counters.add ("single-precision-slices", n);
    StackProjector exact (in_single_precision (job));
    compute (exact, bins, coarse);
  }
};

} // namespace

std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, double tolerance)
{
  return std::make_unique<NativeWorker> (replica, job, tolerance);
}

void native_memory (const Job &job, bool checked, int threads, Bill &bill)
{
  const auto again = checked ? scratch_size (in_single_precision (job)) : 0;
  add_pages (bill, sums_item, std::max (scratch_size (job), again), static_cast<size_t> (threads));
  add_bytes (bill, peaks_item, stack_size (job));
}

} // namespace sino::back_project
