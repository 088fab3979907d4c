// SPDX-License-Identifier: LGPL-3.0-or-later
// Drivers of GPUs whose library lies on the machine, although no ICD file names it, so that loaders of OpenCL do not
// find it. This is usual in containers: the library comes from outside, the ICD file would be inside.
#pragma once
#include "base/visibility.hpp"
#include <string>
#include <vector>

namespace sino {

struct UnregisteredDriver {
  std::string vendor;  // "NVIDIA"
  std::string library; // path
  bool has_device;     // the kernel offers a device of this kind
  std::string command; // shell command that registers the driver, for root

  // "the OpenCL driver of NVIDIA is not registered; as root: ..."
  SINO_VISIBLE std::string advice () const;
};

// Drivers of NVIDIA, AMD and Intel. `root`: folder below which the system's files are looked for. Empty where the
// environment names another folder of ICD files. Loads no driver.
SINO_VISIBLE std::vector<UnregisteredDriver> unregistered_drivers (const std::string &root = "");

} // namespace sino
