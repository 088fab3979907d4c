// SPDX-License-Identifier: LGPL-3.0-or-later
// A node that is late on one device, as if that were slow.
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
  int delay = 10;
  static constexpr Property properties[] = {
      prop<&TestSlow::device> ("device", "The device that is slow"),
      prop<&TestSlow::delay> ("delay", "Milliseconds per block", {0, 10000}),
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    struct Wait final : PointWorker {
      std::chrono::milliseconds time;
      explicit Wait (int ms) : time (ms) {}
      void process (const Block &in, Block &out) override
      {
        std::this_thread::sleep_for (time);
        std::memcpy (out.data (), in.data (), in.bytes ());
      }
    };
    return std::make_unique<Wait> (replica.device.id == device ? delay : 0);
  }
};

SINO_REGISTER (TestSlow)

} // namespace
