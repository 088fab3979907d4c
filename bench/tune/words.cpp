// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/tune/words.hpp"
#include "glue/facets.hpp"
#include "glue/registry.hpp"
#include <algorithm>

namespace sino::bench {

using namespace cli;

// Properties without a usable default, on which the speed of kernels does not depend.
static constexpr std::pair<const char *, const char *> any_values[] = {
    {"min", "0"},        {"max", "1"},           {"threshold", "0.5"},  {"energy", "20"},
    {"distance", "0.1"}, {"pixel-size", "1e-6"}, {"delta-beta", "1000"}};

std::vector<TunedNode> tuned_nodes ()
{
  std::vector<TunedNode> list;
  for (const auto &name : Registry::get ().names ()) {
    const auto task = make_task (name);
    const auto *use = task->kernels ();
    if (!use || !task->has_output ()) // what a sink gives cannot be compared
      continue;
    if (examines_scan (name))
      continue;
    auto &node = list.emplace_back (TunedNode{.name = name, .family = &use->family (), .runs = !task->composite ()});
    for (const auto &[word, value] : any_values)
      if (node.family->word (word))
        node.limits.emplace_back (word, value);
    if (!node.limits.empty ())
      node.runs = !make_task (name, node.limits)->composite ();
    if (node.family->word ("file")) // only the user has it
      node.runs = false;
  }
  return list;
}

bool examines_scan (const std::string &node)
{
  const auto names = Registry::get ().names ();
  if (std::ranges::find (names, node) == names.end ())
    return false;
  const auto task = make_task (node);
  return task->kernels () && dynamic_cast<const Surveys *> (task.get ());
}

TuneWords::TuneWords (const std::vector<TunedNode> &nodes, const std::vector<GOptionEntry> &taken)
{
  for (const auto &node : nodes)
    for (const auto &word : node.family->words) {
      if (word.from == families::Word::From::scan)
        continue;
      const bool is_taken = std::ranges::any_of (
          taken, [&] (const auto &entry) { return std::string_view (word.name) == entry.long_name; });
      const auto name = is_taken ? node.name + "-" + word.name : word.name;
      const auto known = std::ranges::find (options, name, &Option::name);
      const auto values = join (word.values), help = word.help + (values.empty () ? "" : " (" + values + ")");
      if (known == options.end ())
        options.push_back ({name, {node.name}, help, word.name});
      else {
        known->nodes.push_back (node.name);
        if (!known->help.ends_with (help))
          known->help += "; " + help;
      }
    }
  for (auto &option : options)
    option.help = join (option.nodes) + ": " + option.help;
}

void TuneWords::add_entries (std::vector<GOptionEntry> &entries)
{
  for (auto &option : options)
    entries.push_back ({option.name.c_str (), 0, 0, G_OPTION_ARG_FILENAME, &option.word, option.help.c_str (), "WORD"});
}

std::string TuneWords::any () const
{
  const auto found = std::ranges::find_if (options, [] (const auto &option) { return option.word; });
  return found == options.end () ? "" : found->name;
}

TuneWords::Given TuneWords::given_for (const TunedNode &node) const
{
  Given given;
  for (const auto &[name, nodes, help, property, value] : options) {
    if (!value)
      continue;
    if (std::ranges::find (nodes, node.name) == nodes.end ())
      throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("'%s' has no --%s, which is only for %s", node.name.c_str (),
                                                  name.c_str (), join (nodes).c_str ()));
    const auto *word = node.family->word (property);
    const auto &values = word->values;
    const auto found = std::ranges::find (values, std::string_view (value));
    if (!values.empty () && found == values.end ())
      throw Wrong (SINO_ERROR_BAD_PROPERTY,
                   text ("--%s wants %s, got '%s'", name.c_str (), join (values, " or ").c_str (), value));
    if (word->from == families::Word::From::element)
      given.half = found != values.begin ();
    else
      given.properties.emplace_back (property, value);
  }
  for (const auto &limit : node.limits)
    if (std::ranges::none_of (given.properties, [&] (const auto &property) { return property.first == limit.first; }))
      given.properties.push_back (limit);
  return given;
}

} // namespace sino::bench
