// SPDX-License-Identifier: LGPL-3.0-or-later
// sinograph: runs graphs, and describes graphs and nodes.
#include "cli/program.hpp"

int main (int argc, char **argv)
{
  using namespace sino::cli;
  static constexpr Command all[] = {
      {"reconstruct", reconstruct, "Reconstruct a scan with suitable nodes"},
      {"run", run, "Run a graph file"},
      {"launch", launch, "Run a launch line, or save it as a graph file"},
      {"view", view, "Look at a scan, a volume or results on a page in the browser"},
      {"check", check, "Check a graph without running it"},
      {"plan", plan, "Show how a graph would run, and how much memory it needs"},
      {"verify", verify, "Compare written results with their checksums"},
      {"inspect", inspect, "List the nodes, or show one with its inputs and properties"},
      {"new", make_new, "Create a project for your own node"},
      {"devices", devices, "List the devices that graphs can run on"},
      {"bench", nullptr, "Measure this machine"},
      {"tune", nullptr, "Find the fastest kernels for a device, and save them"},
  };
  return run_program (
      {.name = "sinograph",
       .summary = "reconstruct X-ray tomography scans, as graphs of nodes",
       .description = "A scan streams from its files through a graph of nodes (read, flat-field, reconstruct, write "
                      "...) into slices.",
       .others = ".BR sinograph\\-bench (1),\n.BR sinograph\\-nodes (7)\n",
       .commands = all},
      argc, argv);
}
