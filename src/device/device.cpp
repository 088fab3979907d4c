// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/device.hpp"
#include <fstream>

namespace sino {

Device::~Device () = default;

static std::string cpu_name ()
{
  std::ifstream info ("/proc/cpuinfo");
  for (std::string line; std::getline (info, line);)
    if (line.starts_with ("model name")) {
      const auto colon = line.find (':');
      return colon + 2 < line.size () ? line.substr (colon + 2) : "CPU";
    }
  return "CPU";
}

std::shared_ptr<const Device> native_device ()
{
  static const auto device = [] {
    auto d = std::make_shared<Device> ();
    d->name = cpu_name ();
    return d;
  }();
  return device;
}

} // namespace sino
