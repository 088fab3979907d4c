// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/options.hpp"
#include "base/error.hpp"
#include "device/devices.hpp"
#include "run/memory.hpp"

namespace sino {

RunOptions parse_options (const std::string &memory, int threads, const std::string &device)
{
  RunOptions options;
  // What this process holds already counts as free: the limit is on all that it uses.
  const double whole = memory.ends_with ('%') ? resident_memory () + available_memory () : 0;
  if (!memory.empty () && (!parse_size (memory, whole, options.memory) || options.memory < 1))
    fail (SINO_ERROR_BAD_PROPERTY, "memory: '%s' is not a size: 512M, 1.5GiB and 80%% are", memory.c_str ());
  options.threads = threads;
  options.devices = find_devices (device);
  return options;
}

} // namespace sino
