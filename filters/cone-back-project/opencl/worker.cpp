// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/opencl/worker.hpp"
#include "device/devices.hpp"

namespace sino::cone_back_project {

namespace {

class OnDevice final : public Worker
{
public:
  OnDevice (const Replica &replica, const Job &job, const families::Setting &setting)
      : launcher (as_opencl (replica.device), replica.monitor, job, setting, replica.memory, &replica.counters)
  {
  }

  // All slices of a work item grow at the same time.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    std::vector<Block> slices;
    while (Block block = output->next ())
      slices.push_back (std::move (block));
    launcher.begin (std::move (slices));
    while (const Block in = inputs[0]->pop ())
      launcher.add (in);
    for (auto &block : launcher.end ())
      output->push (std::move (block));
  }
  void wait () override { launcher.wait (); }

private:
  Launcher launcher;
};

} // namespace

void opencl_memory (const Sizing &sizing, const Job &job, const families::Setting &setting, Bill &bill)
{
  const auto slice = static_cast<size_t> (job.volume.columns * job.volume.lines) * sizeof (float);
  Launcher::memory (as_opencl (sizing.device), job, setting,
                    {sizing.input_rows, sizing.item_rows, static_cast<int64_t> (sizing.output_block / slice),
                     sizing.output_reached && sizing.output_blocks == 1},
                    bill);
}

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job, const families::Setting &setting)
{
  return std::make_unique<OnDevice> (replica, job, setting);
}

} // namespace sino::cone_back_project
