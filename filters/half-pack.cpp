// SPDX-License-Identifier: LGPL-3.0-or-later
// Halves the memory of a stream: converts float to IEEE half.
#include "kernels/half-pack/half-pack.hpp"
#include "base/error.hpp"
#include "families/choice.hpp"
#include "filters/half-pack/opencl-packer.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <atomic>

namespace sino::half_pack {
namespace {

class Packer final : public PointWorker
{
public:
  explicit Packer (const Replica &replica) : cpu (replica.cpu), counters (replica.counters) {}

  void process (const Block &in, Block &out) override
  {
    std::atomic<int64_t> overflows{0};
    cpu.parallel (in.values (), 1 << 16, [&] (int64_t begin, int64_t end) {
      overflows += half_pack::half_pack (in.as<float> () + begin, end - begin, out.as<uint16_t> () + begin);
    });
    counters.add ("overflows", overflows);
  }

private:
  const Cpu &cpu;
  Counters &counters;
};

class OnDevice final : public OpenclPointWorker
{
public:
  OnDevice (const Replica &replica, const families::Setting &setting)
      : OpenclPointWorker (replica), counters (replica.counters), packer (device, setting, family ().usual)
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    const auto event = packer.enqueue (queues.kernels, from, in.values (), to);
    return {event, event};
  }
  void count () override { counters.add ("overflows", packer.overflows (queues.kernels)); }

private:
  Counters &counters;
  OpenclPacker packer;
};

class HalfPack final : public PointFilter
{
public:
  static constexpr Info info{"half-pack", "Round float values to IEEE half precision, which halves their memory"};
  static constexpr Signature signature{.takes = {any_kind, Element::f32},
                                       .gives = {.elements = Element::f16},
                                       .integers = "put a filter with f32 output before it, such as 'flat-field'"};

  families::Use opencl{half_pack::family ()};

  static constexpr auto properties = kernel_properties<&HalfPack::opencl> ();

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    format.element = Element::f16;
    format.mark_smoothed (info.name);
    opencl.negotiated (half_pack::family ().usual);
    return format;
  }

  const families::Use *kernels () const override { return &opencl; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device))
      return std::make_unique<OnDevice> (replica, opencl.choice (replica.device, 1).setting);
    return std::make_unique<Packer> (replica);
  }
};

} // namespace

SINO_REGISTER (HalfPack)

} // namespace sino::half_pack
