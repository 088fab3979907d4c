// SPDX-License-Identifier: LGPL-3.0-or-later
// The options of a run, each listed once: the command line and the properties of SinoRunner are made from this table.
// For a new option, add an entry here, a member of RunOptions, and a line in the page and the header that document it.
#pragma once
#include "device/cpu.hpp"
#include "device/devices.hpp"
#include "glue/property.hpp"
#include "run/memory.hpp"
#include "run/switches.hpp"
#include <optional>

namespace sino {

// The value that was given for an option.
struct Said {
  const std::string &word;
  double number; // value of an integer or a number option; it is within the range
};

// Settings that only few options have.
struct RunOptionExtras {
  const char *wants = "a number"; // the values that it accepts, for error messages
  Range range = {};
  double usual = 0; // the property's default, as a number or a word
  const char *usual_word = "";
  const char *of_commands = nullptr; // value that commands use if the option is not given, if it differs
  const char *property = nullptr;    // name of the SinoRunner property, if it differs
};

struct RunOption {
  // Commands that have the option: those for single nodes, those that plan, those that run, and those whose runs ranks
  // may share. Each group also has the options of the groups before it.
  enum class Of : uint8_t { nodes, plans, runs, ranks };
  enum class Type : uint8_t { flag, integer, number, word }; // type of the property

  const char *name;
  char letter; // short option of the command line; 0: none
  Of of;
  Type type;
  const char *value; // name of the value in the command line's help; null: the option takes no value
  const char *help;
  bool (*put) (RunOptions &, const Said &); // false: the value is wrong
  RunOptionExtras more = {};
};

// Sets the member M to the given value.
template <auto M> bool put (RunOptions &options, const Said &said)
{
  using V = std::remove_reference_t<decltype (options.*M)>;
  if constexpr (std::is_same_v<V, bool>)
    options.*M = true;
  else if constexpr (std::is_same_v<V, std::string>)
    options.*M = said.word;
  else
    options.*M = static_cast<V> (said.number);
  return true;
}

inline constexpr auto option_table = [] {
  using enum RunOption::Of;
  using enum RunOption::Type;
  return std::array{
      RunOption ("confine", 0, plans, word, "FOLDER",
                 "Refuse a graph that reads or writes outside this folder, also through links",
                 put<&RunOptions::confine>),
      RunOption ("memory", 'm', plans, word, "SIZE", "Most memory to use: 512M, 2G, or 80% of the free memory",
                 [] (RunOptions &o, const Said &said) { return parse_limit (said.word, o.memory); },
                 {.wants = "a size such as 512M, 2G or 80%"}),
      RunOption ("threads", 't', nodes, integer, "N", "CPU threads for kernels; all, if not given",
                 put<&RunOptions::threads>, {.range = {1, max_threads}}),
      RunOption ("device", 'd', nodes, word, "DEVICE",
                 "native, cl:0, cl:0,cl:1, cl or all; if not given, the first OpenCL GPU, otherwise native",
                 [] (RunOptions &o, const Said &said) {
                   o.devices = find_devices (said.word);
                   o.found_devices = said.word.empty ();
                   return true;
                 }),
      RunOption ("device-memory", 0, nodes, word, "SIZE",
                 "Most memory to use on each OpenCL device: 512M, 2G; all of it, if not given",
                 [] (RunOptions &o, const Said &said) {
                   return !said.word.ends_with ('%') && parse_size (said.word, 0, o.use.memory) && o.use.memory >= 1;
                 },
                 {.wants = "a size such as 512M or 2G"}),
      RunOption ("slice-share", 0, nodes, number, "SHARE",
                 "Fraction of a device's memory for the slices of a cone beam; its projections get the rest",
                 [] (RunOptions &o, const Said &said) {
                   o.use.slice_share = said.number; // read by filters/cone-back-project/opencl/launcher
                   return true;
                 },
                 {.range = {DeviceUse::least_share, DeviceUse::most_share}, .usual = DeviceUse ().slice_share}),
      RunOption ("switch", 0, nodes, word, "NAME=off,...",
                 "Switch off optimizations, to measure their effect: read-ahead, pinned, local-tile, write-combined, "
                 "overlap; devices=N uses only the first N",
                 [] (RunOptions &o, const Said &said) {
                   set_switches (o, said.word);
                   return true;
                 },
                 {.property = "switches"}),
      RunOption (
          "resume", 0, plans, flag, nullptr,
          "Continue an earlier run that was interrupted, and keep finished results if this run is interrupted as well",
          put<&RunOptions::resume>),
      RunOption ("trace", 0, runs, word, "FILE.json",
                 "Write the times at which each node worked, as Chrome trace events", put<&RunOptions::trace>),
      RunOption (
          "report", 0, runs, word, "FILE.html",
          "Write a page about the run when it ends: geometry, pictures, what was done, messages, time and memory",
          put<&RunOptions::report>),
      RunOption ("strict", 0, runs, flag, nullptr,
                 "Stop before the reconstruction if the automatically found axis is in doubt",
                 put<&RunOptions::strict>),
      RunOption ("on-device-error", 0, runs, word, "continue|stop",
                 "If one of several devices fails: continue with the others, or stop",
                 [] (RunOptions &o, const Said &said) {
                   o.goes_on = said.word == "continue";
                   return o.goes_on || said.word == "stop";
                 },
                 {.wants = "continue or stop", .usual_word = RunOptions::usually_goes_on ? "continue" : "stop"}),
      RunOption ("verify", 0, runs, integer, "N",
                 "Compute N slices again on the CPU at the end, and fail if they differ", put<&RunOptions::verify>,
                 {.range = {0, 1000000}}),
      // RunContext::watchdog, read by pass/quiet. Default of commands: longer than any task takes for a block, even if
      // files come from a tape archive.
      RunOption ("watchdog", 0, runs, number, "SECONDS", "Fail if there is no progress for this time; 0: never",
                 put<&RunOptions::watchdog>, {.wants = "seconds", .range = {0, 1e9}, .of_commands = "300"}),
      RunOption ("mpi", 0, ranks, flag, "auto|on|off",
                 "Whether the ranks started by mpirun or srun work on one run; auto: yes if there are several",
                 [] (RunOptions &o, const Said &said) {
                   o.cluster = Cluster::of_process (parse_together ("mpi", said.word));
                   return true;
                 },
                 {.usual_word = "auto"}),
  };
}();

// Index of an option in the table. An unknown name does not compile.
consteval size_t option_place (std::string_view name)
{
  size_t place = 0;
  while (option_table.at (place).name != name)
    place++;
  return place;
}

// The value given for each option of the table, as text.
using RunWords = std::array<std::optional<std::string>, option_table.size ()>;

// Reads the options from their texts. `dashes`: text before names in error messages. Throws SINO_ERROR_BAD_PROPERTY and
// SINO_ERROR_DEVICE; other ranks of the run get the error, too.
SINO_VISIBLE RunOptions options_of (const RunWords &words, const char *dashes);

} // namespace sino
