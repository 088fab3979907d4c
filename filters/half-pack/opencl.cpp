// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/half-pack/opencl.hpp"
#include "base/error.hpp"
#include "filters/half-pack/family.hpp"
#include "filters/half-pack/opencl-packer.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino::half_pack {

namespace {

class Packer final : public OpenclPointWorker
{
public:
  Packer (const Replica &replica, const families::Setting &setting)
      : OpenclPointWorker (replica), counters (replica.counters), packer (device, setting, family ().usual)
  {
  }
  ~Packer () override // counts at the end only, because counting waits for the device
  {
    try {
      counters.add ("overflows", packer.overflows (queues.kernels));
    } catch (const Error &) { // was already reported to the one who waited for the blocks
    }
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const auto event = packer.enqueue (queues.kernels, from, in.values (), to);
    return {event, event};
  }

private:
  Counters &counters;
  OpenclPacker packer;
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const families::Setting &setting)
{
  return std::make_unique<Packer> (replica, setting);
}

} // namespace sino::half_pack
