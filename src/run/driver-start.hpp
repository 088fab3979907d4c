// SPDX-License-Identifier: LGPL-3.0-or-later
// Loads the drivers of devices in threads of their own: each takes some tenths of a second, in which a run can be
// negotiated.
#pragma once
#include "device/device.hpp"
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace sino {

class DriverStart : NoCopy
{
public:
  // `waits`: called before a wait.
  DriverStart (const std::vector<std::shared_ptr<const Device>> &devices, std::function<void ()> waits);
  ~DriverStart (); // waits, too

  // Waits until all drivers are loaded. Throws the error of the first device that has one.
  void wait ();

private:
  const std::function<void ()> waits;
  std::vector<std::exception_ptr> errors; // one for each thread
  std::vector<std::thread> threads;

  void join ();
};

} // namespace sino
