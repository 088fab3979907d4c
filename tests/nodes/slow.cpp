// SPDX-License-Identifier: LGPL-3.0-or-later
// A node that is late on one device, as if that were slow, or breaks there.
#include "base/error.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"
#include <chrono>
#include <cstring>
#include <thread>

namespace {

using namespace sino;

class TestSlow final : public PointFilter
{
public:
  static constexpr Info info{"test-slow", "Takes its time with each block, on one device"};
  std::string device;
  int delay = 10, others = 0;
  bool fails = false;
  static constexpr Property properties[] = {
      prop<&TestSlow::device> ("device", "The device that is slow"),
      prop<&TestSlow::delay> ("delay", "Milliseconds per block", {0, 10000}),
      prop<&TestSlow::others> ("others", "Milliseconds per block of other devices", {0, 10000}),
      prop<&TestSlow::fails> ("fails", "Throws then"),
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    struct Wait final : PointWorker {
      const std::chrono::milliseconds time;
      const bool fails;
      Wait (int ms, bool f) : time (ms), fails (f) {}
      void process (const Block &in, Block &out) override
      {
        std::this_thread::sleep_for (time);
        if (fails)
          fail (SINO_ERROR_FAILED, "it is broken");
        std::memcpy (out.data (), in.data (), in.bytes ());
      }
    };
    const bool meant = replica.device.id == device;
    return std::make_unique<Wait> (meant ? delay : others, meant && fails);
  }
};

SINO_REGISTER (TestSlow)

} // namespace
