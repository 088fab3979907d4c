// SPDX-License-Identifier: LGPL-3.0-or-later
// Limits of control groups (version 2) on this process. A limit may be set on the process's own group or on any group
// above it; the least one holds.
#pragma once
#include "base/visibility.hpp"
#include <optional>
#include <string>
#include <vector>

namespace sino {

// Folders of a process's group and of the groups above it, up to the root.
SINO_VISIBLE std::vector<std::string> cgroup_folders (const std::string &process = "/proc/self/cgroup",
                                                      const std::string &root = "/sys/fs/cgroup");

// CPUs that may be busy at once, bytes that may still be taken, and largest number of processes and threads; infinite
// without a limit.
SINO_VISIBLE double cgroup_cpus (const std::vector<std::string> &folders = cgroup_folders ());
SINO_VISIBLE double cgroup_memory (const std::vector<std::string> &folders = cgroup_folders ());
SINO_VISIBLE double cgroup_tasks (const std::vector<std::string> &folders = cgroup_folders ());

// The number that follows a name in a file such as /proc/meminfo, in its unit.
std::optional<double> number_after (const std::string &path, const std::string &name);

} // namespace sino
