// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/cgroup.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <fstream>

namespace sino {

std::vector<std::string> cgroup_folders (const std::string &process, const std::string &root)
{
  std::vector<std::string> folders;
  std::ifstream file (process);
  for (std::string line; std::getline (file, line);)
    if (line.starts_with ("0::/"))
      for (auto group = line.substr (3); group.size () > 1; group.resize (group.rfind ('/')))
        folders.push_back (root + group);
  folders.push_back (root); // containers see the limits of their own group here
  return folders;
}

// The numbers at the beginning of a file, such as "200000 100000", up to a word such as "max".
static std::vector<double> numbers_in (const std::string &path)
{
  std::vector<double> list;
  std::ifstream file (path);
  double number = 0;
  for (std::string word; file >> word && parse_number (word, number);)
    list.push_back (number);
  return list;
}

double cgroup_cpus (const std::vector<std::string> &folders)
{
  double least = HUGE_VAL;
  for (const auto &folder : folders)
    // The quota and its period, in microseconds.
    if (const auto quota = numbers_in (folder + "/cpu.max"); quota.size () == 2 && quota[1] > 0)
      least = std::min (least, quota[0] / quota[1]);
  return least;
}

double cgroup_memory (const std::vector<std::string> &folders)
{
  double least = HUGE_VAL;
  for (const auto &folder : folders) {
    const auto limit = numbers_in (folder + "/memory.max"), used = numbers_in (folder + "/memory.current");
    const double cache =
        number_after (folder + "/memory.stat", "inactive_file").value_or (0); // released when memory is needed
    if (!limit.empty () && !used.empty ())
      least = std::min (least, std::max (limit[0] - used[0] + cache, 0.0));
  }
  return least;
}

double cgroup_tasks (const std::vector<std::string> &folders)
{
  double least = HUGE_VAL;
  for (const auto &folder : folders)
    if (const auto most = numbers_in (folder + "/pids.max"); !most.empty ())
      least = std::min (least, most[0]);
  return least;
}

std::optional<double> number_after (const std::string &path, const std::string &name)
{
  std::ifstream file (path);
  for (std::string word; file >> word;)
    if (double number = 0; word == name && file >> word && parse_number (word, number))
      return number;
  return {};
}

} // namespace sino
