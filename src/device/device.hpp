// SPDX-License-Identifier: LGPL-3.0-or-later
// What a graph runs on: the CPU through the project's own kernels, or an OpenCL device.
#pragma once
#include "base/visibility.hpp"
#include <memory>
#include <string>
#include <vector>

namespace sino {

struct SINO_INTERNAL Device {
  enum class Kind { native, opencl };

  Kind kind = Kind::native;
  std::string id = "native"; // "native", "cl:0", "cl:1" in the ICD loader's order
  std::string name;          // as the driver or the CPU reports it

  virtual ~Device ();
  // What it is besides its name, in a line, or "". Throws Error when the driver does not say.
  virtual std::string about () const { return {}; }
};

// The CPU: always there, and asking for it never initialises an OpenCL platform.
SINO_INTERNAL std::shared_ptr<const Device> native_device ();

} // namespace sino
