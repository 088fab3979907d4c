// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a graph in one process, with faults and without, and tells what each run left in it.
//
// usage: runner DEVICE LINE RULES
//
// A line for each run: `ok` or `error`, threads, open files and KiB in use after it, and the message, with tabs between
// them. The first and the last run have no faults.
#include "tests/faults/rules.hpp"
#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <malloc.h>
#include <sinograph.h>
#include <thread>
#include <utility>

namespace {

constexpr int with_faults = 6;

auto count (const char *folder)
{
  namespace fs = std::filesystem;
  return std::distance (fs::directory_iterator (folder), fs::directory_iterator ());
}

// Threads that were joined are counted by the system for a moment, which is long where other processes go first. While
// no number is usual yet, the one that stays for a tenth of a second is.
auto threads (long usual)
{
  auto now = count ("/proc/self/task");
  for (int i = 0, same = 0; i < 2000 && now > usual && (usual > 0 || same < 50); i++) {
    std::this_thread::sleep_for (std::chrono::milliseconds (2));
    const auto before = std::exchange (now, count ("/proc/self/task"));
    same = now == before ? same + 1 : 0;
  }
  return now;
}

// Leaves nothing but the error.
void run (const char *device, const char *line, GError **error)
{
  g_autoptr (SinoGraph) graph = sino_graph_new_from_launch (line, error);
  if (!graph)
    return;
  g_autoptr (SinoRunner) runner = sino_runner_new ();
  g_object_set (runner, "device", device, "threads", 2U, nullptr);
  sino_runner_run (runner, graph, nullptr, error);
}

auto *const set_faults = reinterpret_cast<decltype (&sino_set_faults)> (dlsym (RTLD_DEFAULT, "sino_set_faults"));

// The counting itself meets no faults.
void run_and_tell (const char *device, const char *line, long usual, const char *rules)
{
  g_autoptr (GError) error = nullptr;
  set_faults (rules);
  run (device, line, &error);
  set_faults ("");
  const auto memory = mallinfo2 ();
  const auto running = threads (usual);
  g_autofree gchar *said = g_strescape (error ? error->message : "", nullptr);
  printf ("%s\t%ld\t%ld\t%zu\t%s\n", error ? "error" : "ok", running, count ("/proc/self/fd"),
          (memory.uordblks + memory.hblkhd) / 1024, said);
  fflush (stdout);
}

} // namespace

int main (int, char **argv)
{
  g_assert_nonnull (reinterpret_cast<void *> (set_faults));
  run_and_tell (argv[1], argv[2], 0, "");
  const auto usual = count ("/proc/self/task");
  for (int i = 0; i < with_faults; i++)
    run_and_tell (argv[1], argv[2], usual, argv[3]);
  run_and_tell (argv[1], argv[2], usual, "");
  return 0;
}
