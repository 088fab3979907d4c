// SPDX-License-Identifier: LGPL-3.0-or-later
// Options that several commands have.
#pragma once
#include "base/cancellation.hpp"
#include "cli/command.hpp"
#include "run/option-table.hpp"
#include "run/run.hpp"
#include <span>

namespace sino::cli {

// Values from the command line.
struct Options : NoCopy {
  std::array<const char *, option_table.size ()> words{}; // options of a run, by their index; null: not given
  std::array<gboolean, option_table.size ()> flags{};
  const char *save = nullptr, *progress = nullptr;
  const char *page = nullptr;  // address of the page of a run, "": any; null: none is wanted
  std::string title = "a run"; // of the page
  char **settings = nullptr;   // --set
  gboolean stats = false, quiet = false, dot = false, json = false, markdown = false;

  ~Options () { g_strfreev (settings); }

  // Word of option `i` of a run: what was given, or the default of commands; null: neither.
  const char *word (size_t i) const { return words[i] ? words[i] : option_table[i].more.of_commands; }
};

// A command's own options, plus: options of a run up to group `most`, --set if it takes graphs, and --stats, --progress
// and --quiet if it runs them. The entries point into `options`.
std::vector<GOptionEntry> run_entries (Options &options, RunOption::Of most, std::vector<GOptionEntry> own = {});

// Removes options from the arguments and returns the rest. Throws Wrong, or HelpShown. `usage`: the command and its
// arguments ("run GRAPH.json"); `about`: the text below it. Words of options last as long as the program.
std::vector<const char *> parse (int argc, char **argv, const std::string &usage, const char *about,
                                 std::vector<GOptionEntry> entries);

// The data that a command gives to parse (), for completion and manuals.
struct Syntax {
  struct Option {
    std::string name, help, value; // value: name of its value, "" for a switch
    char letter;                   // short option, such as 'q'; 0: none
  };
  std::string usage, about; // usage: without the command's name
  std::vector<Option> options;
};
Syntax syntax_of (const Command &command);

// The value of an option with an integer; `otherwise` if it was not given. Throws Wrong.
int64_t number (const char *option, const char *word, int64_t least, int64_t most, int64_t otherwise);

// While this object exists, its thread is confined to the folder of --confine, as the threads of the run will be.
class Confining
{
public:
  explicit Confining (const Options &options);

private:
  Monitor monitor;
  const WorkingFor scope{monitor};
};

// Runs `body`, which reads user input: its exceptions mean that the input is wrong, unless the system failed.
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

// The graph from a file or a launch line. A single argument is a file if a file of that name exists, or if it ends in
// ".json" and does not contain " ! ".
Graph load (std::span<const char *const> arguments, const Options &options);
Graph load_file (const char *path, const Options &options);
Graph load_line (std::span<const char *const> arguments, const Options &options);

// `device`: used if there is no --device.
RunOptions run_options (const Options &options, const char *device = "");

// Negotiates and plans, with the options from `find`. Throws Wrong if something does not fit, Error if something is
// missing (a file, memory). `watch`: if the run will be executed; before that, sources take scans whose projections are
// not known in advance, and it is told how many have come.
using Watch = std::function<void (const Progress &)>;
std::unique_ptr<Run> make_run (const Graph &graph, std::function<RunOptions ()> find, const Watch &watch = {});

} // namespace sino::cli
