// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs many graphs in one process. A line of the input is a verb (`check` or `run`), a memory limit and a launch line,
// with tabs between them; its answer is a line on the output: `ok` or `error`, the most memory that the process had
// meanwhile in KiB (0 under a sanitizer, which needs memory of its own), and the plan or the message, escaped.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sinograph.h>
#include <string>

namespace {

long peak ()
{
#ifndef __SANITIZE_ADDRESS__
  const std::string name = "VmHWM:";
  std::ifstream status ("/proc/self/status");
  for (std::string line; std::getline (status, line);)
    if (line.starts_with (name))
      return std::stol (line.substr (name.size ()));
#endif
  return 0;
}

void answer (const std::string &line)
{
  g_auto (GStrv) words = g_strsplit (line.c_str (), "\t", 3);
  g_assert_cmpuint (g_strv_length (words), ==, 3);
  g_autoptr (GError) error = nullptr;
  g_autofree gchar *plan = nullptr;
  bool good = false;
  std::ofstream ("/proc/self/clear_refs") << 5 << std::flush; // forgets the peak
  g_autoptr (SinoGraph) graph = sino_graph_new_from_launch (words[2], &error);
  if (graph) {
    g_autoptr (SinoRunner) runner = sino_runner_new ();
    g_object_set (runner, "memory", words[1], "device", "native", "threads", 2U, nullptr);
    if (std::string (words[0]) == "check")
      good = (plan = sino_runner_check (runner, graph, &error)) != nullptr;
    else
      good = sino_runner_run (runner, graph, nullptr, &error);
  }
  g_assert_true (good == !error);
  g_autofree gchar *said = g_strescape (error ? error->message : plan ? plan : "", nullptr);
  printf ("%s\t%ld\t%s\n", good ? "ok" : "error", peak (), said);
  fflush (stdout);
}

} // namespace

int main ()
{
  for (std::string line; std::getline (std::cin, line);)
    answer (line);
  return 0;
}
