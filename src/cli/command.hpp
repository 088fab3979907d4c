// SPDX-License-Identifier: LGPL-3.0-or-later
// The commands of sinograph. Each returns an exit status or throws.
#pragma once
#include "base/error.hpp"
#include <string>
#include <vector>

namespace sino::cli {

enum Status { done = 0, failed = 1, wrong = 2, interrupted = 130 };

// Error in the command line or the graph, with any code: exit status 2.
struct Wrong : Error {
  using Error::Error;
};

// Thrown after --help was shown: the command then ends.
struct HelpShown {
};

// This process has failed, and another process reports it.
struct Told {
  int status;
};

int reconstruct (int argc, char **argv);
int run (int argc, char **argv);
int launch (int argc, char **argv);
int view (int argc, char **argv);
int check (int argc, char **argv);
int plan (int argc, char **argv);
int verify (int argc, char **argv);
int inspect (int argc, char **argv);
int make_new (int argc, char **argv); // 'new' is a keyword of C++
int devices (int argc, char **argv);

struct Command {
  const char *name;
  int (*main) (int argc, char **argv); // null: a command of sinograph-bench
  const char *summary;
  std::vector<std::string> (*first_words) () = nullptr; // possible first arguments
};

} // namespace sino::cli
