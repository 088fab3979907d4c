// SPDX-License-Identifier: LGPL-3.0-or-later
// NVIDIA's management library (NVML), only for energy: it comes with the driver and is loaded when needed.
#pragma once
#include "base/pointers.hpp"
#include <dlfcn.h>
#include <string>

namespace sino {

class Nvml
{
public:
  explicit Nvml (const std::string &library); // throws Error
  ~Nvml ();

  // Energy that the GPU at a PCI address has used since its driver was loaded. Throws Error.
  double joules (const std::string &pci) const;

private:
  // The functions of nvml.h; status 0 is success.
  struct Gpu;
  int (*init) () = nullptr;
  int (*shutdown) () = nullptr;
  int (*find) (const char *pci, Gpu **gpu) = nullptr;
  int (*consumption) (Gpu *gpu, unsigned long long *millijoules) = nullptr;
  const char *(*error_text) (int status) = nullptr;
  std::unique_ptr<void, Deleter<dlclose>> library;

  void check (int status, const char *call) const;
};

} // namespace sino
