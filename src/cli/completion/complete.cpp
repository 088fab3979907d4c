// SPDX-License-Identifier: LGPL-3.0-or-later
// 'sinograph complete -- WORDS...' is called by shells. It prints the candidates for the last word, one per line. WORDS
// are the words after 'sinograph' on the command line. If they contain a mistake, it prints nothing.
#include "cli/completion/line.hpp"
#include "cli/options.hpp"
#include "cli/program.hpp"
#include "device/devices.hpp"
#include "glue/registry.hpp"
#include "ufo/ufo.hpp"
#include <cstdio>

namespace sino::cli {

namespace {

// The words of a command before the last one.
struct Written {
  Words plain;
  const Syntax::Option *open = nullptr; // the option whose value is the last word
  bool options = true;                  // "--" has not occurred
};

const Syntax::Option *option_of (const Syntax &syntax, const std::string &word)
{
  for (const auto &option : syntax.options)
    if (word == "--" + option.name || (option.letter && word == std::string ("-") + option.letter))
      return &option;
  return nullptr;
}

Written written (const Syntax &syntax, const Words &words)
{
  Written found;
  for (const auto &word : words) {
    if (found.open) {
      found.open = nullptr;
    } else if (found.options && word == "--") {
      found.options = false;
    } else if (found.options && word.starts_with ('-')) {
      const auto *option = option_of (syntax, word);
      found.open = option && !option->value.empty () ? option : nullptr;
    } else {
      found.plain.push_back (word);
    }
  }
  return found;
}

// Node types in a launch line, or in a graph file.
Types types_of (const Words &line)
{
  if (line.size () != 1 || !line[0].ends_with (".json"))
    return nodes_of (line);
  Types types;
  const auto graph = ufo::load_file (line[0]);
  for (const auto &node : graph.nodes ())
    types[node.name] = node.type;
  return types;
}

// Candidates according to the name of the value in the option's help.
Words values (const Syntax::Option &option, const Words &line, const std::string &begun)
{
  const auto &wanted = option.value;
  if (wanted.find ('|') != wanted.npos)
    return going_on (split (wanted, '|'), begun);
  if (wanted == "NODE")
    return going_on (Registry::get ().names (), begun);
  if (wanted == "NODE.PROPERTY=VALUE")
    return settings (types_of (line), begun);
  if (wanted == "DEVICE") {
    Words devices{"all", "cl"};
    for (const auto &device : all_devices ())
      devices.push_back (device->id);
    return going_on (devices, begun);
  }
  for (const auto *file : {"PATH", "FILE", "FOLDER", "GRAPH", "ANGLES"})
    if (wanted.starts_with (file))
      return files (begun);
  return {};
}

Words option_words (const Syntax &syntax, const Words &line, const std::string &begun)
{
  if (const auto equals = begun.find ('='); equals != begun.npos) {
    const auto *option = option_of (syntax, begun.substr (0, equals));
    const auto front = begun.substr (0, equals + 1);
    return option ? going_on (values (*option, line, begun.substr (equals + 1)), "", front) : Words ();
  }
  Words names{"--help"};
  for (const auto &option : syntax.options)
    names.push_back ("--" + option.name + (option.value.empty () ? "" : "="));
  return going_on (names, begun);
}

// Candidates according to the arguments in the command's usage.
Words plain_words (const Command &command, const Syntax &syntax, const Words &before, const std::string &begun)
{
  Words found;
  const auto takes = [&] (const char *word) { return syntax.usage.find (word) != syntax.usage.npos; };
  const auto add = [&found] (const Words &words) { found.insert (found.end (), words.begin (), words.end ()); };
  if (takes ("LINE"))
    add (line_words (before, begun));
  if (takes ("NODE") && before.empty ())
    add (going_on (Registry::get ().names (), begun));
  if (command.first_words && before.empty ())
    add (going_on (command.first_words (), begun));
  if (takes ("GRAPH.json") && before.empty ())
    add (files (begun, {".json"}));
  if (takes ("SCAN") && before.size () < 2)
    add (files (begun));
  return found;
}

Words candidates (const Program &program, const Words &words)
{
  const auto &begun = words.back ();
  if (words.size () == 1) {
    Words names{"--help", "--version"};
    for (const auto &command : program.commands)
      names.push_back (command.name);
    return going_on (names, begun);
  }
  for (const auto &command : program.commands) {
    if (words[0] != command.name)
      continue;
    if (!command.main) {
      Words asked{"complete", "--"};
      asked.insert (asked.end (), words.begin (), words.end ());
      hand_on (asked);
    }
    const auto syntax = syntax_of (command);
    const auto before = written (syntax, {words.begin () + 1, words.end () - 1});
    if (before.open)
      return values (*before.open, before.plain, begun);
    return before.options && begun.starts_with ('-') ? option_words (syntax, before.plain, begun)
                                                     : plain_words (command, syntax, before.plain, begun);
  }
  return {};
}

} // namespace

int complete (const Program &program, int argc, char **argv)
{
  Words words (argv + 1, argv + argc);
  if (!words.empty () && words[0] == "--")
    words.erase (words.begin ());
  if (words.empty ())
    return done;
  try {
    for (const auto &candidate : candidates (program, words))
      puts (candidate.c_str ());
  } catch (const Error &) { // the line has a mistake; messages would disturb it
  }
  return done;
}

} // namespace sino::cli
