// SPDX-License-Identifier: LGPL-3.0-or-later
// What the project's programs have in common: a table of commands, and all around it.
#pragma once
#include "cli/command.hpp"
#include <span>

namespace sino::cli {

struct Program {
  const char *name, *summary, *description;
  const char *others; // pages for man that belong to it, as these have it
  std::span<const Command> commands;
};

// Runs the command that the arguments name, and gives back the exit status.
int run_program (const Program &program, int argc, char **argv);

// Commands of every program, for shells and for the build: not in the help.
int complete (const Program &program, int argc, char **argv);
int manual (const Program &program, int argc, char **argv);

// Goes on as sinograph-bench with these words. Throws where it is missing.
[[noreturn]] void hand_on (const std::vector<std::string> &words);

// "Exit status: ..."
extern const char *const exit_statuses;

} // namespace sino::cli
