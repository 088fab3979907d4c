// SPDX-License-Identifier: LGPL-3.0-or-later
// Common part of the project's programs: a table of commands, and their environment.
#pragma once
#include "cli/command.hpp"
#include <span>

namespace sino::cli {

struct Program {
  const char *name, *summary, *description;
  const char *others; // related man pages, in man syntax
  std::span<const Command> commands;
};

// Runs the command named by the arguments and returns the exit status.
int run_program (const Program &program, int argc, char **argv);

// Commands of every program, for shells and the build; not in the help.
int complete (const Program &program, int argc, char **argv);
int manual (const Program &program, int argc, char **argv);

// Replaces this process by sinograph-bench with these arguments. Throws if it is missing.
[[noreturn]] void hand_on (const std::vector<std::string> &words);

// "Exit status: ..."
extern const char *const exit_statuses;

} // namespace sino::cli
