// SPDX-License-Identifier: LGPL-3.0-or-later
// Limits of control groups, in folders that look like those of the system.
#include "base/cgroup.hpp"
#include "base/files/temporary-folder.hpp"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <glib.h>

namespace sino::test::cgroup_test {

namespace {

void put (const std::string &path, const std::string &content)
{
  std::filesystem::create_directories (std::filesystem::path (path).parent_path ());
  std::ofstream (path) << content;
}

void test_least_of_all ()
{
  const TemporaryFolder folder (g_get_tmp_dir ());
  const auto root = folder.path () + "/cgroup", process = folder.path () + "/process";
  put (process, "0::/scans/night/job\n");
  const auto limits = [&] { return cgroup_folders (process, root); };
  put (root + "/cgroup.procs", "");
  g_assert_true (std::isinf (cgroup_cpus (limits ())) && std::isinf (cgroup_memory (limits ())));
  put (root + "/scans/night/job/cpu.max", "max 100000\n");
  put (root + "/scans/night/cpu.max", "250000 100000\n");
  put (root + "/scans/cpu.max", "400000 100000\n");
  g_assert_cmpfloat (cgroup_cpus (limits ()), ==, 2.5);
  put (root + "/cpu.max", "50000 100000\n"); // as a container sees its own group
  g_assert_cmpfloat (cgroup_cpus (limits ()), ==, 0.5);

  g_assert_true (std::isinf (cgroup_tasks (limits ())));
  put (root + "/scans/night/pids.max", "64\n");
  put (root + "/scans/pids.max", "max\n");
  g_assert_cmpfloat (cgroup_tasks (limits ()), ==, 64);

  put (root + "/scans/memory.max", "1000000\n");
  put (root + "/scans/memory.current", "600000\n");
  put (root + "/scans/memory.stat", "anon 500000\ninactive_file 70000\n");
  put (root + "/scans/night/memory.max", "max\n");
  put (root + "/scans/night/memory.current", "600000\n");
  g_assert_cmpfloat (cgroup_memory (limits ()), ==, 470000);
  put (root + "/scans/memory.current", "1200000\n");
  g_assert_cmpfloat (cgroup_memory (limits ()), ==, 0);
}

void test_other_groups ()
{
  const TemporaryFolder folder (g_get_tmp_dir ());
  const auto root = folder.path () + "/cgroup", process = folder.path () + "/process";
  put (root + "/cpu.max", "300000 100000\n");
  for (const char *groups : {"", "0::/\n", "9:name=systemd:/x\n4:memory:/y\n0::/\n"}) {
    put (process, groups);
    g_assert_cmpfloat (cgroup_cpus (cgroup_folders (process, root)), ==, 3);
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/cgroup/least-of-all", test_least_of_all);
  g_test_add_func ("/cgroup/other-groups", test_other_groups);
  return g_test_run ();
}

} // namespace sino::test::cgroup_test
