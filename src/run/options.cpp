// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/options.hpp"
#include "base/error.hpp"
#include "device/devices.hpp"
#include "run/memory.hpp"

namespace sino {

RunOptions parse_options (const std::string &memory, int threads, const std::string &device)
{
  RunOptions options;
  const bool percent = memory.ends_with ('%');
  if (!memory.empty () &&
      (!parse_size (memory, percent ? available_memory () : 0, options.memory) || options.memory < 1))
    fail (SINO_ERROR_BAD_PROPERTY, "memory: '%s' is not a size: 512M, 1.5GiB and 80%% are", memory.c_str ());
  if (percent) // of what is free; the limit is on all that the process uses
    options.memory += resident_memory ();
  options.threads = threads;
  options.devices = find_devices (device);
  return options;
}

} // namespace sino
