// SPDX-License-Identifier: LGPL-3.0-or-later
// What limits this process beside the machine's size: control groups, version 2. A limit may be set on the process's
// own group or on any above it, so the least of all holds.
#pragma once
#include "base/visibility.hpp"
#include <optional>
#include <string>
#include <vector>

namespace sino {

// The folders of a process's group and of those above it, the root's last.
SINO_VISIBLE std::vector<std::string> cgroup_folders (const std::string &process = "/proc/self/cgroup",
                                                      const std::string &root = "/sys/fs/cgroup");

// CPUs that may be busy at once, bytes that may still be taken, and processes and threads that there may be; infinite
// without a limit.
SINO_VISIBLE double cgroup_cpus (const std::vector<std::string> &folders = cgroup_folders ());
SINO_VISIBLE double cgroup_memory (const std::vector<std::string> &folders = cgroup_folders ());
SINO_VISIBLE double cgroup_tasks (const std::vector<std::string> &folders = cgroup_folders ());

// The number that follows a name in a file such as /proc/meminfo, in its unit.
std::optional<double> number_after (const std::string &path, const std::string &name);

} // namespace sino
