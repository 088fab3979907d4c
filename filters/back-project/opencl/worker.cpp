// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/worker.hpp"

namespace sino::back_project {

namespace {

class OpenclWorker final : public SliceWorker
{
public:
  OpenclWorker (const Replica &replica, const Job &job, const Setting &setting)
      : counters (replica.counters),
        launcher (dynamic_cast<const OpenclDevice &> (replica.device), replica.monitor, job, setting)
  {
  }

protected:
  void reconstruct (const std::byte *bins, std::span<float *const> slices) override
  {
    const double before = launcher.seconds ();
    launcher.run (bins, slices);
    counters.add ("kernel-microseconds", static_cast<int64_t> (1e6 * (launcher.seconds () - before)));
  }

private:
  Counters &counters;
  Launcher launcher;
};

} // namespace

size_t opencl_host_memory (const OpenclDevice &device, const Job &job, const Setting &setting)
{
  return device.shares_host_memory ? bins_bytes (job) + frame_bytes (job, setting) : 0;
}

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job, const Setting &setting)
{
  return std::make_unique<OpenclWorker> (replica, job, setting);
}

} // namespace sino::back_project
