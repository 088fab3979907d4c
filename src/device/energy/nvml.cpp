// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/energy/nvml.hpp"
#include "base/error.hpp"

namespace sino {

// The library stays loaded: each unloading would leave a descriptor open.
Nvml::Nvml (const std::string &name) : library (dlopen (name.c_str (), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
{
  if (!library)
    fail (SINO_ERROR_DEVICE, "the NVIDIA management library cannot be loaded: %s", dlerror ());
  const auto load = [this] (auto &function, const char *symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype (function)>> (dlsym (library.get (), symbol));
    if (!function)
      fail (SINO_ERROR_DEVICE, "the NVIDIA management library is too old: it has no %s", symbol);
  };
  load (init, "nvmlInit_v2");
  load (shutdown, "nvmlShutdown");
  load (find, "nvmlDeviceGetHandleByPciBusId_v2");
  load (consumption, "nvmlDeviceGetTotalEnergyConsumption");
  load (error_text, "nvmlErrorString");
  check (init (), "nvmlInit");
}

Nvml::~Nvml ()
{
  shutdown ();
}

double Nvml::joules (const std::string &pci) const
{
  Gpu *gpu = nullptr;
  check (find (pci.c_str (), &gpu), "nvmlDeviceGetHandleByPciBusId");
  unsigned long long millijoules = 0;
  check (consumption (gpu, &millijoules), "nvmlDeviceGetTotalEnergyConsumption"); // not available on GPUs before Volta
  return 1e-3 * static_cast<double> (millijoules);
}

void Nvml::check (int status, const char *call) const
{
  if (status != 0)
    fail (SINO_ERROR_DEVICE, "%s failed: %s (%d)", call, error_text (status), status);
}

} // namespace sino
