// SPDX-License-Identifier: LGPL-3.0-or-later
// sinograph-bench: measures this machine. Started by 'sinograph bench' and 'sinograph tune'.
#include "bench/bench.hpp"
#include "cli/program.hpp"

int main (int argc, char **argv)
{
  using namespace sino;
  static constexpr cli::Command all[] = {
      {"bench", bench::bench, "Measure this machine", bench::bench_names},
      {"tune", bench::tune, "Find the fastest kernels for a device, and save them"},
  };
  return cli::run_program (
      {.name = "sinograph-bench",
       .summary = "measure this machine, and tune kernels for it",
       .description = "Commands that measure. The program sinograph starts this program to run them.",
       .others = ".BR sinograph (1)\n",
       .commands = all},
      argc, argv);
}
