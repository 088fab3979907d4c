// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/worker.hpp"
#include "base/error.hpp"

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
  ~OpenclWorker () override
  {
    try {
      launcher.end ();
      count ();
    } catch (const Error &) { // was told to who waited for the slices
    }
  }

protected:
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    std::vector<Place> slices;
    for (const auto &slice : group)
      slices.push_back ({*slice.block, slice.offset});
    launcher.run ({in, offset}, slices);
    count ();
  }

private:
  Counters &counters;
  Launcher launcher;
  int64_t counted = 0;

  void count ()
  {
    const auto now = static_cast<int64_t> (1e6 * launcher.seconds ());
    counters.add ("kernel-microseconds", now - counted);
    counted = now;
  }
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Job &job, const Setting &setting)
{
  return std::make_unique<OpenclWorker> (replica, job, setting);
}

} // namespace sino::back_project
