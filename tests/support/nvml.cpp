// SPDX-License-Identifier: LGPL-3.0-or-later
// A library that looks like NVIDIA's for management. GPUs are on buses 41 and 42, and one that does not count on
// bus 50.
#include <cstdio>

namespace {

struct Gpu {
  unsigned bus;
  unsigned long long millijoules;
} gpus[] = {{0x41, 1000000}, {0x42, 2000000}, {0x50, 0}};

int sessions = 0;

enum Status { success = 0, uninitialized = 1, not_supported = 3, not_found = 6 };

} // namespace

extern "C" {

int nvmlInit_v2 ()
{
  sessions++;
  return success;
}

int nvmlShutdown ()
{
  return sessions-- > 0 ? success : uninitialized;
}

int nvmlDeviceGetHandleByPciBusId_v2 (const char *pci, Gpu **found)
{
  unsigned bus = 0;
  if (sessions == 0)
    return uninitialized;
  if (sscanf (pci, "%*x:%x:%*x.%*x", &bus) == 1)
    for (auto &gpu : gpus)
      if (gpu.bus == bus) {
        *found = &gpu;
        return success;
      }
  return not_found;
}

int nvmlDeviceGetTotalEnergyConsumption (Gpu *gpu, unsigned long long *millijoules)
{
  if (gpu->millijoules == 0)
    return not_supported;
  *millijoules = gpu->millijoules += 1500;
  return success;
}

const char *nvmlErrorString (int status)
{
  return status == not_found ? "Not Found" : status == not_supported ? "Not Supported" : "Uninitialized";
}
}
