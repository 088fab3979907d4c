// SPDX-License-Identifier: LGPL-3.0-or-later
// What the commands' options have in common.
#pragma once
#include "base/cancellation.hpp"
#include "cli/command.hpp"
#include "run/option-table.hpp"
#include "run/run.hpp"
#include <span>

namespace sino::cli {

// What was given on the command line.
struct Options {
  std::array<char *, option_table.size ()> words{}; // of a run's options, by their place; null: not given
  std::array<gboolean, option_table.size ()> flags{};
  char *save = nullptr, *progress = nullptr;
  char **settings = nullptr;        // --set
  std::shared_ptr<Cluster> cluster; // by --mpi
  gboolean stats = false, quiet = false, dot = false, json = false, markdown = false;

  Options () = default;
  ~Options ();
  Options (const Options &) = delete;
  Options &operator= (const Options &) = delete;
};

// What a command has besides its own options: those of a run up to `most`, --set where it takes graphs, and --stats,
// --progress and --quiet where it runs them. They point into `options`.
std::vector<GOptionEntry> run_entries (Options &options, RunOption::Of most, std::vector<GOptionEntry> own = {});

// Takes the options out of the arguments and returns what is left. Throws Wrong, or HelpShown. `usage` is
// the command and what it wants ("run GRAPH.json"), `about` the text below it.
std::vector<const char *> parse (int argc, char **argv, const std::string &usage, const char *about,
                                 std::vector<GOptionEntry> entries);

// What parse () is given by a command, for completion and for manuals.
struct Syntax {
  struct Option {
    std::string name, help, value; // value: what it wants, "" for a switch
    char letter;                   // or 0
  };
  std::string usage, about; // usage: without the command's name
  std::vector<Option> options;
};
Syntax syntax_of (const Command &command);

// The value of an option that wants a whole number; `otherwise` when it was not given. Throws Wrong.
int64_t number (const char *option, const char *word, int64_t least, int64_t most, int64_t otherwise);

// --set NODE.PROPERTY=VALUE; a node's name may hold points, a property's name may not.
struct Setting {
  std::string node, property, value;
};
Setting parse_setting (const std::string &word);

// While it lives, this thread keeps to the folder of --confine, as the threads of the run will.
class Confining
{
public:
  explicit Confining (const Options &options);

private:
  Monitor monitor;
  const WorkingFor scope{monitor};
};

// Runs `body`, which reads what the user wrote: what it throws means that this is wrong, unless the system failed.
template <class Body> auto reading (Body body)
{
  try {
    return body ();
  } catch (const Error &e) {
    if (e.code == SINO_ERROR_FAILED)
      throw;
    throw Wrong (e.code, e.what ());
  }
}

// The graph of a file, or of a launch line. A single argument is a file if there is one of that name, or if it ends in
// ".json" and has no " ! ".
Graph load (std::span<const char *const> arguments, const Options &options);
Graph load_file (const char *path, const Options &options);
Graph load_line (std::span<const char *const> arguments, const Options &options);

// `device` is what stands for no --device.
RunOptions run_options (const Options &options, const char *device = "");

// Negotiates and plans, with the options that `find` gives. What does not fit throws Wrong, what is missing (a file,
// memory) throws Error.
std::unique_ptr<Run> make_run (const Graph &graph, std::function<RunOptions ()> find);

} // namespace sino::cli
