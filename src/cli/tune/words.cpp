// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/tune/words.hpp"
#include "glue/registry.hpp"
#include "graph/graph.hpp"
#include "graph/snapshot.hpp"
#include <algorithm>

namespace sino::cli {

std::vector<TunedNode> tuned_nodes ()
{
  std::vector<TunedNode> list;
  for (const auto &name : Registry::get ().names ()) {
    Graph graph;
    const auto task = snapshot (graph.nodes ()[graph.add (name)].task.get ());
    if (const auto *use = task->kernels ())
      list.push_back ({name, &use->family ()});
  }
  return list;
}

TuneWords::TuneWords (const std::vector<TunedNode> &nodes)
{
  for (const auto &node : nodes)
    for (const auto &word : node.family->words) {
      if (word.from == families::Word::From::scan)
        continue;
      const auto known = std::find_if (options.begin (), options.end (),
                                       [&] (const auto &option) { return option.name == word.name; });
      const auto values = join (word.values);
      if (known == options.end ())
        options.push_back (
            {word.name, node.name + ": " + word.help + (values.empty () ? "" : " (" + values + ")"), word.name});
      else
        known->help = node.name + ", " + known->help;
    }
}

TuneWords::~TuneWords ()
{
  for (const auto &option : options)
    g_free (option.word);
}

void TuneWords::add_entries (std::vector<GOptionEntry> &entries)
{
  const auto own = entries;
  for (auto &option : options) {
    if (std::any_of (own.begin (), own.end (), [&] (const auto &entry) { return option.name == entry.long_name; }))
      option.name = option.help.substr (0, option.help.find_first_of (":,")) + "-" + option.name;
    entries.push_back ({option.name.c_str (), 0, 0, G_OPTION_ARG_FILENAME, &option.word, option.help.c_str (), "WORD"});
  }
}

std::string TuneWords::any () const
{
  const auto found = std::find_if (options.begin (), options.end (), [] (const auto &option) { return option.word; });
  return found == options.end () ? "" : found->name;
}

TuneWords::Given TuneWords::given_for (const TunedNode &node) const
{
  Given given;
  for (const auto &[name, help, property, value] : options) {
    if (!value)
      continue;
    const auto *word = node.family->word (property);
    if (!word || (name != property && !name.starts_with (node.name + "-")))
      throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("'%s' has no --%s, which is of %s", node.name.c_str (), name.c_str (),
                                                  help.substr (0, help.find (':')).c_str ()));
    const auto &values = word->values;
    const auto found = std::find (values.begin (), values.end (), std::string_view (value));
    if (!values.empty () && found == values.end ())
      throw Wrong (SINO_ERROR_BAD_PROPERTY,
                   text ("--%s wants %s, got '%s'", name.c_str (), join (values, " or ").c_str (), value));
    if (word->from == families::Word::From::element)
      given.half = found != values.begin ();
    else
      given.properties.emplace_back (property, value);
  }
  return given;
}

} // namespace sino::cli
