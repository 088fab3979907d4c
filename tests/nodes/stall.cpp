// SPDX-License-Identifier: LGPL-3.0-or-later
// A node that waits in negotiation, as one that opens files on a file system that is slow or stalls.
#include "base/cancellation.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"
#include <chrono>
#include <fstream>
#include <thread>

namespace {

using namespace sino;

class TestStall final : public PointFilter
{
public:
  static constexpr Info info{"test-stall", "Waits in negotiation for ever"};
  bool deaf = false;
  std::string file;
  static constexpr Property properties[] = {
      prop<&TestStall::deaf> ("deaf", "Does not look whether it was cancelled"),
      prop<&TestStall::file> ("file", "A file that is made when it begins to wait"),
  };

  Format negotiate (std::span<const Format *const>) override
  {
    std::ofstream (file).close ();
    while (true) {
      if (!deaf)
        check_cancelled ();
      std::this_thread::sleep_for (std::chrono::milliseconds (1));
    }
  }

  std::unique_ptr<Worker> start (const Replica &) override { return nullptr; }
};

SINO_REGISTER (TestStall)

} // namespace
