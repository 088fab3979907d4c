// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/memory.hpp"
#include <algorithm>
#include <fstream>
#include <string>

namespace sino {

// The value of a "Name:   123 kB" line, in bytes.
static double proc_value (const char *path, const std::string &name)
{
  std::ifstream file (path);
  for (std::string word; file >> word;)
    if (word == name) {
      double kilobytes = 0;
      file >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

static double number_in (const std::string &path)
{
  std::ifstream file (path);
  double value = -1;
  return file >> value ? value : -1;
}

// The folder of this process's cgroup (version 2), "" where there is none.
static std::string cgroup ()
{
  std::ifstream file ("/proc/self/cgroup");
  for (std::string line; std::getline (file, line);)
    if (line.starts_with ("0::"))
      return "/sys/fs/cgroup" + line.substr (3);
  return {};
}

double available_memory ()
{
  double available = proc_value ("/proc/meminfo", "MemAvailable:");
  // A limit may be set on the group or on any group above it.
  for (std::string group = cgroup (); group.size () >= 14; group.resize (group.rfind ('/'))) {
    const double limit = number_in (group + "/memory.max"), used = number_in (group + "/memory.current");
    const double cache =
        proc_value ((group + "/memory.stat").c_str (), "inactive_file") / 1024; // is given up when needed
    if (limit >= 0 && used >= 0)
      available = std::min (available, std::max (limit - used + cache, 0.0));
  }
  return available;
}

double resident_memory ()
{
  return proc_value ("/proc/self/status", "VmRSS:");
}

double peak_resident_memory ()
{
  return proc_value ("/proc/self/status", "VmHWM:");
}

} // namespace sino
