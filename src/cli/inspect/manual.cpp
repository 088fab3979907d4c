// SPDX-License-Identifier: LGPL-3.0-or-later
// The command 'manual' writes man pages from the texts of --help and inspect: for the program, or with 'nodes' for the
// nodes. The build calls it.
#include "api/sino-version.h"
#include "cli/inspect/text.hpp"
#include "cli/options.hpp"
#include "cli/program.hpp"
#include "glue/registry.hpp"
#include "graph/properties.hpp"
#include <algorithm>
#include <cstdio>
#include <map>

namespace sino::cli {

namespace {

// Escapes text for troff: dots and quotes that would begin a request, and minus signs, so that they can be copied.
std::string plain (const std::string &words)
{
  std::string out;
  for (const char c : words) {
    const bool begins = out.empty () || out.back () == '\n';
    if (begins && (c == '.' || c == '\''))
      out += "\\&";
    out += c == '\\'   ? "\\e"
           : c == '-'  ? "\\-"
           : c == '\'' ? "\\(aq"
           : c == '^'  ? "\\(ha"
           : c == '~'  ? "\\(ti"
                       : std::string (1, c);
  }
  return out;
}

std::string bold (const std::string &words)
{
  return "\\fB" + plain (words) + "\\fR";
}

std::string italic (const std::string &words)
{
  return "\\fI" + plain (words) + "\\fR";
}

std::string head (const char *title, int section, const char *name, const char *what)
{
  return text (".\\\" SPDX-License-Identifier: LGPL-3.0-or-later\n.TH %s %d \"\" \"Sinograph %s\" Sinograph\n"
               ".SH NAME\n%s \\- %s\n",
               plain (title).c_str (), section, SINO_VERSION, plain (name).c_str (), plain (what).c_str ());
}

// Formats paragraphs, and examples (lines that begin with blanks).
std::string paragraphs (const std::string &about)
{
  std::string out;
  bool example = false;
  for (const auto &line : split (about, '\n')) {
    const bool shown = line.starts_with ("  ");
    if (shown != example)
      out += shown ? ".PP\n.RS 4\n.nf\n" : ".fi\n.RE\n";
    if (!shown && line.empty ())
      out += ".PP\n";
    else
      out += plain (shown ? line.substr (2) : line) + "\n";
    example = shown;
  }
  out += example ? ".fi\n.RE\n" : "";
  for (const auto *twice : {".PP\n.PP\n", ".RE\n.PP\n.PP\n"}) // removes double breaks beside an example
    for (auto at = out.find (twice); at != out.npos; at = out.find (twice))
      out.erase (at, 4);
  return out;
}

std::string option_text (const Syntax::Option &option)
{
  std::string out = ".TP\n";
  if (option.letter)
    out += bold (std::string ("-") + option.letter) + ", ";
  out += bold ("--" + option.name);
  if (!option.value.empty ())
    out += "=" + italic (option.value);
  return out + "\n" + plain (option.help) + ".\n";
}

std::string key (const Syntax::Option &option)
{
  return option.name + "\n" + option.help;
}

std::string program_page (const Program &program)
{
  constexpr int common = 3; // an option that at least this number of commands have gets a section of its own
  std::map<std::string, int> numbers;
  std::vector<Syntax::Option> shared;
  std::vector<std::pair<const Command *, Syntax>> all;
  for (const auto &command : program.commands) {
    all.emplace_back (&command, command.main ? syntax_of (command) : Syntax ());
    for (const auto &option : all.back ().second.options)
      if (++numbers[key (option)] == common)
        shared.push_back (option);
  }
  auto out = head (CharPtr (g_ascii_strup (program.name, -1)).get (), 1, program.name, program.summary);
  out += ".SH SYNOPSIS\n.B sinograph\n.I COMMAND\n.RI [ OPTION ...]\n.SH DESCRIPTION\n" + plain (program.description) +
         "\n.SH COMMANDS\n";
  for (const auto &[command, syntax] : all) {
    if (!command->main) {
      out += text (".SS %s\n%s: see\n.BR sinograph\\-bench (1).\n", command->name, plain (command->summary).c_str ());
      continue;
    }
    out += ".SS " + plain (std::string (command->name) + " " + syntax.usage) + "\n" + paragraphs (syntax.about);
    std::vector<std::string> others;
    for (const auto &option : syntax.options)
      if (numbers[key (option)] < common)
        out += option_text (option);
      else
        others.push_back (bold ("--" + option.name));
    if (!others.empty ())
      out += ".PP\nCommon options: " + join (others) + ".\n";
  }
  if (!shared.empty ())
    out += ".SH COMMON OPTIONS\n";
  for (const auto &option : shared)
    out += option_text (option);
  const std::string statuses = exit_statuses;
  return out + ".SH EXIT STATUS\n" + plain (statuses.substr (statuses.find (": ") + 2)) + "\n.SH SEE ALSO\n" +
         program.others;
}

std::string node_text (const NodeFacts &node)
{
  std::string out = ".SS " + plain (node.name) + "\n" + plain (node.summary) + ".\n";
  if (node.unknown.empty () && !node.inputs.empty ()) {
    out += ".PP\nInputs: ";
    out += join (node.inputs, ", ",
                 [] (const Port &port) { return bold (port.name) + (port.optional ? " (optional)" : ""); });
    out += ".\n";
  }
  if (!node.signatures.empty ()) {
    out += text (".PP\n%s, with suitable properties:\n.PP\n.RS 4\n.nf\n", node.inputs.empty () ? "Gives"
                                                                          : node.has_output    ? "Takes and gives"
                                                                                               : "Takes");
    for (const auto &signature : node.signatures)
      out += plain (signature_text (signature)) + "\n";
    out += ".fi\n.RE\n";
  }
  if (!node.properties.empty ())
    out += ".PP\nProperties:\n";
  for (auto *spec : node.properties) {
    const auto range = range_text (spec);
    out += ".TP\n" + bold (spec->name) + "=" + italic (type_text (spec)) + "\n" + plain (blurb_of (spec)) + ".\n" +
           (range.empty () ? "" : plain ("Values: " + range + ". ")) + plain ("Default: " + default_json (spec)) +
           ".\n";
  }
  return out;
}

std::string nodes_page ()
{
  auto out = head ("SINOGRAPH-NODES", 7, "sinograph-nodes", "nodes of Sinograph's graphs");
  out += ".SH DESCRIPTION\nThese nodes come with Sinograph. A launch line or a graph file joins them, as\n.PP\n.RS "
         "4\n.nf\nsinograph launch \\(aqread path=scan.h5 ! flat\\-field ! reconstruct ! write "
         "path=slices/%05i.tif\\(aq\n.fi\n.RE\n.PP\nModules may add more: \\fBsinograph inspect\\fR lists all, and "
         "shows what each takes and gives.\n.SH NODES\n";
  for (const auto &name : Registry::get ().names ())
    out += node_text (facts_of (name));
  return out + ".SH SEE ALSO\n.BR sinograph (1)\n";
}

} // namespace

int manual (const Program &program, int argc, char **argv)
{
  const std::string page = argc > 1 ? argv[1] : "";
  if (argc > 2 || !(page.empty () || page == "nodes"))
    throw Wrong (SINO_ERROR_BAD_GRAPH, "manual wants nothing, or 'nodes'");
  fputs ((page.empty () ? program_page (program) : nodes_page ()).c_str (), stdout);
  return done;
}

} // namespace sino::cli
