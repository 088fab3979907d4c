// SPDX-License-Identifier: LGPL-3.0-or-later
// Threads take tiles of the slice.
#include "back-project/native.hpp"
#include "back-project/worker.hpp"
#include <hwy/aligned_allocator.h>

namespace sino::back_project {

namespace {

// As many as threads were at work at once.
class ScratchPool
{
public:
  using Memory = hwy::AlignedFreeUniquePtr<std::byte[]>;

  explicit ScratchPool (size_t n) : size (n) {}

  Memory take ()
  {
    const std::lock_guard guard (mutex);
    if (free.empty ())
      return hwy::AllocateAligned<std::byte> (size);
    auto memory = std::move (free.back ());
    free.pop_back ();
    return memory;
  }
  void give (Memory memory)
  {
    const std::lock_guard guard (mutex);
    free.push_back (std::move (memory));
  }

private:
  size_t size;
  std::mutex mutex;
  std::vector<Memory> free;
};

class NativeWorker final : public SliceWorker
{
public:
  NativeWorker (const Replica &replica, const Job &j)
      : cpu (replica.cpu), monitor (replica.monitor), job (j), grid (j.roi), pool (scratch_size (j.lanes))
  {
  }

protected:
  void reconstruct (const std::byte *bins, std::span<float *const> slices) override
  {
    job.bins = bins;
    cpu.parallel (grid.count (), 1, [&] (int64_t begin, int64_t end) {
      auto scratch = pool.take ();
      for (auto tile = begin; tile < end; tile++) {
        monitor.check ();
        back_project_tile (job, grid.x (tile), grid.y (tile), slices, scratch.get ());
      }
      pool.give (std::move (scratch));
    });
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  Job job;
  TileGrid grid;
  ScratchPool pool;
};

} // namespace

std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job)
{
  return std::make_unique<NativeWorker> (replica, job);
}

} // namespace sino::back_project
