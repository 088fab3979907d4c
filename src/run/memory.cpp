// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/memory.hpp"
#include "base/cgroup.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace sino {

// The value of a line such as "MemAvailable:   123 kB", in bytes.
static double bytes_after (const char *path, const char *name)
{
  return 1024 * number_after (path, name).value_or (0);
}

double available_memory ()
{
  return std::min (bytes_after ("/proc/meminfo", "MemAvailable:"), cgroup_memory ());
}

double resident_memory ()
{
  return bytes_after ("/proc/self/status", "VmRSS:");
}

double peak_resident_memory ()
{
  return bytes_after ("/proc/self/status", "VmHWM:");
}

bool parse_limit (const std::string &word, double &bytes)
{
  const bool percent = word.ends_with ('%');
  if (!parse_size (word, percent ? available_memory () : 0, bytes) || bytes < 1)
    return false;
  if (percent)
    bytes += resident_memory ();
  return true;
}

} // namespace sino
