// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/cone-back-project/plain.hpp"
#include "filters/cone-back-project/mask.hpp"
#include "filters/cone-back-project/native.hpp"

namespace sino::cone_back_project {

namespace {

class PlainWorker final : public Worker
{
public:
  PlainWorker (const Replica &replica, const Job &j) : cpu (replica.cpu), monitor (replica.monitor), job (j) {}

  // All blocks of a work item are open until the last projection is there.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    for (auto &block : blocks)
      std::fill_n (block.as<float> (), block.values (), 0.0F);
    while (const Block in = inputs[0]->pop ())
      for (auto &out : blocks)
        add (in, out);
    for (auto &block : blocks) {
      mask (job, cpu, block);
      output->push (std::move (block));
    }
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  const Job &job;

  void add (const Block &in, Block &out) const
  {
    const auto lines = job.volume.lines;
    cpu.parallel (out.rows ().size () * lines, 1, [&] (int64_t begin, int64_t end) {
      for (int64_t angle = 0; angle < in.angles ().size (); angle++) {
        monitor.check ();
        const auto &projection = job.projections[static_cast<size_t> (in.angles ().begin + angle)];
        const Values values{in.as<float> () + in.offset (angle, 0), in.rows (), job.columns};
        for (auto i = begin; i < end; i++)
          if (const auto z = out.rows ().at (i / lines); projection.slices.place (z) >= 0)
            add_line (job.volume, i % lines, z, projection, values, out.as<float> () + i * job.volume.columns);
      }
    });
  }
};

} // namespace

std::unique_ptr<Worker> plain_worker (const Replica &replica, const Job &job)
{
  return std::make_unique<PlainWorker> (replica, job);
}

} // namespace sino::cone_back_project
