// SPDX-License-Identifier: LGPL-3.0-or-later
// The commands of sinograph. Each returns an exit status or throws.
#pragma once
#include "base/error.hpp"
#include <string>
#include <vector>

namespace sino::cli {

enum Status { done = 0, failed = 1, wrong = 2, interrupted = 130 };

// The command line or the graph is wrong, whatever the code: exit status 2.
struct Wrong : Error {
  using Error::Error;
};

// --help was asked for and shown: nothing else is to be done.
struct HelpShown {
};

// It has failed, and another process tells people.
struct Told {
  int status;
};

int reconstruct (int argc, char **argv);
int run (int argc, char **argv);
int launch (int argc, char **argv);
int check (int argc, char **argv);
int plan (int argc, char **argv);
int verify (int argc, char **argv);
int inspect (int argc, char **argv);
int make_new (int argc, char **argv); // a keyword of C++ is the command
int devices (int argc, char **argv);

struct Command {
  const char *name;
  int (*main) (int argc, char **argv); // null: sinograph-bench has it
  const char *summary;
  std::vector<std::string> (*first_words) () = nullptr; // that its first argument may be
};

} // namespace sino::cli
