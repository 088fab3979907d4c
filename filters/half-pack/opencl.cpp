// SPDX-License-Identifier: LGPL-3.0-or-later
#include "half-pack/opencl.hpp"
#include "base/error.hpp"
#include "half-pack/opencl-packer.hpp"
#include "opencl/point-worker.hpp"

namespace sino::half_pack {

namespace {

class Packer final : public OpenclPointWorker
{
public:
  explicit Packer (const Replica &replica) : OpenclPointWorker (replica), counters (replica.counters), packer (device)
  {
  }
  ~Packer () override // once, since it waits
  {
    try {
      counters.add ("overflows", packer.overflows (device.queues ().kernels));
    } catch (const Error &) { // was told to who waited for the blocks
    }
  }

protected:
  void process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    packer.enqueue (device.queues ().kernels, from, in.values (), to);
  }

private:
  Counters &counters;
  OpenclPacker packer;
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica)
{
  return std::make_unique<Packer> (replica);
}

} // namespace sino::half_pack
