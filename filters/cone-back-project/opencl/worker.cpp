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

  // All slices of a work item grow at the same time, in the device's memory.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    launcher.begin (output->rows ());
    while (const Block in = inputs[0]->pop ())
      launcher.add (in);
    launcher.end ();
    while (Block block = output->next ()) {
      launcher.deliver (block);
      output->push (std::move (block));
    }
  }
  void wait () override { launcher.wait (); }

private:
  Launcher launcher;
};

} // namespace

void opencl_memory (const Sizing &sizing, const Job &job, const families::Setting &setting, Bill &bill)
{
  constexpr size_t in_flight = 16; // more than the pools of the nodes before it have, where memory is short
  const auto blocks = in_flight * (sizing.input_block[0] + sizing.output_block);
  Launcher::memory (as_opencl (sizing.device), job, setting, {sizing.input_rows, sizing.item_rows, blocks}, bill);
}

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job, const families::Setting &setting)
{
  return std::make_unique<OnDevice> (replica, job, setting);
}

} // namespace sino::cone_back_project
