// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/command.hpp"

namespace sino::cli {

std::span<const Command> commands ()
{
  static constexpr Command all[] = {
      {"reconstruct", reconstruct, "Reconstruct a scan with the nodes that suit it"},
      {"run", run, "Run a graph file"},
      {"launch", launch, "Run a launch line, or save it as a graph file"},
      {"check", check, "Check a graph without running it"},
      {"plan", plan, "Show how a graph would run, and the memory that it would take"},
      {"verify", verify, "Compare results with the checksums of what was written"},
      {"inspect", inspect, "List the nodes, or show one with its inputs and properties"},
      {"new", make_new, "Write a project with a node of your own"},
      {"devices", devices, "List the devices that graphs can run on"},
      {"bench", bench, "Measure this machine"},
      {"tune", tune, "Find the fastest kernels for a device, and keep them"},
      {"complete", complete, nullptr},
      {"manual", manual, nullptr},
  };
  return all;
}

const char *const exit_statuses =
    "Exit status: 0 done, 1 the run failed, 2 the graph or the command line is wrong, 130 interrupted.";

} // namespace sino::cli
