// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/adjoint.hpp"
#include "filters/cone-back-project/mask.hpp"
#include "kernels/forward-project/joseph.hpp"

namespace sino::cone_back_project {

namespace {

class AdjointWorker final : public Worker
{
public:
  AdjointWorker (const Replica &replica, const Job &j, const std::vector<forward_project::Detector> &d)
      : cpu (replica.cpu), monitor (replica.monitor), job (j), detectors (d), grid (grid_of (j))
  {
  }

  // All blocks of a work item are open until the last projection is there.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    for (auto &block : blocks)
      std::fill_n (block.as<float> (), block.values (), 0.0F);
    while (const Block in = inputs[0]->pop ())
      for (auto &out : blocks)
        spread (in, out);
    for (auto &block : blocks) {
      mask (job, cpu, block);
      output->push (std::move (block));
    }
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  const Job &job;
  const std::vector<forward_project::Detector> &detectors;
  const forward_project::Grid grid;

  // A voxel takes pixels in the order of the scan, whatever threads have which slices.
  void spread (const Block &in, Block &out) const
  {
    const auto rows = in.rows ().size ();
    cpu.parallel (out.rows ().size (), 1, [&] (int64_t begin, int64_t end) {
      forward_project::Rays rays;
      const Interval slices{out.rows ().at (begin), out.rows ().at (begin) + end - begin};
      for (int64_t i = 0; i < in.angles ().size () * rows; i++) {
        monitor.check ();
        const auto number = static_cast<size_t> (in.angles ().at (i / rows));
        const auto row = in.rows ().at (i % rows);
        const auto seen = slices_seen (grid, job.projections[number].matrix, {row, row + 1}, slices);
        if (seen.empty ())
          continue;
        find_rays (grid, detectors[number], row, rays);
        for (auto z = seen.begin; z < seen.end; z++)
          spread_row (grid, z, in.as<float> () + in.offset (i / rows, i % rows), detectors[number], rays,
                      out.as<float> () + out.offset (0, out.rows ().place (z)));
      }
    });
  }
};

} // namespace

std::unique_ptr<Worker> adjoint_worker (const Replica &replica, const Job &job,
                                        const std::vector<forward_project::Detector> &detectors)
{
  return std::make_unique<AdjointWorker> (replica, job, detectors);
}

void adjoint_memory (const std::vector<forward_project::Detector> &detectors, int threads, Bill &bill)
{
  add_bytes (bill, "rays of a thread", forward_project::most_bytes (detectors), static_cast<size_t> (threads));
}

forward_project::Grid grid_of (const Job &job)
{
  return {job.volume.first, job.volume.size, job.volume.columns, job.volume.lines};
}

} // namespace sino::cone_back_project
