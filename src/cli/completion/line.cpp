// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/completion/line.hpp"
#include "base/error.hpp"
#include "glue/registry.hpp"
#include "graph/launch-words.hpp"
#include "graph/properties.hpp"
#include <algorithm>
#include <cstring>
#include <set>

namespace sino::cli {

namespace {

// State after reading all complete words of a line.
struct Reading {
  bool wants_node = true;
  int open = 0;                // number of open brackets
  std::string node;            // type of the last node
  std::set<std::string> given; // names of properties that the line sets for it
  Types nodes;
};

void add_node (Reading &reading, const std::string &type)
{
  reading.node = type;
  reading.given.clear ();
  auto name = type;
  for (int n = 2; reading.nodes.contains (name); n++)
    name = text ("%s-%d", type.c_str (), n);
  reading.nodes[name] = type;
}

std::string joined (const Words &words)
{
  std::vector<const char *> arguments;
  for (const auto &word : words)
    arguments.push_back (word.c_str ());
  return arguments.empty () ? std::string () : join_arguments (arguments);
}

Reading read (const std::string &line)
{
  Reading reading;
  for (const auto &token : cut (line)) {
    using enum Token::Kind;
    switch (token.kind) {
    case link:
    case comma:
      reading.wants_node = true;
      break;
    case open:
      reading.wants_node = true;
      reading.open++;
      break;
    case close:
      reading.wants_node = false;
      reading.node.clear ();
      reading.open--;
      break;
    case word:
      if (token.assign != token.text.npos) {
        const auto property = token.text.substr (0, token.assign);
        reading.given.insert (property);
        if (property == "name" && !reading.node.empty ())
          reading.nodes[token.text.substr (token.assign + 1)] = reading.node;
      } else if (token.text.find ('.') != token.text.npos) { // a reference to a node
        reading.node.clear ();
      } else {
        add_node (reading, token.text);
      }
      reading.wants_node = false;
      break;
    case end:
      break;
    }
  }
  return reading;
}

std::vector<GParamSpec *> properties (const std::string &type)
{
  auto &registry = Registry::get ();
  return std::ranges::count (registry.names (), type) > 0 ? list_properties (registry.find (type))
                                                          : std::vector<GParamSpec *> ();
}

// Whether the description of a property says that it holds a path.
bool is_path (GParamSpec *spec)
{
  if (!G_IS_PARAM_SPEC_STRING (spec))
    return false;
  const char *blurb = g_param_spec_get_blurb (spec);
  const CharPtr lower (g_ascii_strdown (blurb ? blurb : "", -1));
  return std::string_view (spec->name) == "path" ||
         std::ranges::any_of (std::initializer_list<const char *>{"file", "folder", "path"},
                              [&] (const char *word) { return strstr (lower.get (), word); });
}

Words values (const std::string &type, const std::string &property, const std::string &begun)
{
  for (auto *spec : properties (type)) {
    if (property != spec->name)
      continue;
    if (spec->value_type == G_TYPE_BOOLEAN)
      return going_on ({"true", "false"}, begun);
    if (is_path (spec))
      return files (begun);
    return going_on (choices (spec), begun);
  }
  return {};
}

// "name=" for all properties that are not set yet.
Words property_words (const std::string &type, const std::set<std::string> &given, const std::string &begun)
{
  Words names;
  for (auto *spec : properties (type))
    if (!given.contains (spec->name))
      names.push_back (spec->name + std::string ("="));
  return going_on (names, begun);
}

Words after (const std::string &line, const std::string &begun)
{
  // '[read' and ',read' begin with a bracket or a comma.
  if (!begun.empty () && (begun.front () == '[' || begun.front () == ','))
    return going_on (after (line + " " + begun.front (), begun.substr (1)), "", begun.substr (0, 1));
  const auto at = read (line);
  if (const auto equals = begun.find ('='); equals != begun.npos)
    return going_on (values (at.node, begun.substr (0, equals), begun.substr (equals + 1)), "",
                     begun.substr (0, equals + 1));
  Words references;
  for (const auto &[name, type] : at.nodes)
    references.push_back (name + ".");
  Words found;
  const auto add = [&found] (const Words &words) { found.insert (found.end (), words.begin (), words.end ()); };
  if (at.wants_node) {
    add (going_on (Registry::get ().names (), begun));
    add (going_on (begun.empty () ? Words{"["} : references, begun));
    return found;
  }
  add (property_words (at.node, at.given, begun));
  add (going_on (at.open > 0 ? Words{"!", ",", "]"} : Words{"!"}, begun));
  if (!begun.empty ())
    add (going_on (references, begun));
  if (found.empty ()) // without '!' between two nodes, a new chain begins
    add (going_on (Registry::get ().names (), begun));
  return found;
}

} // namespace

Words line_words (const Words &before, const std::string &begun)
{
  const auto blank = before.empty () ? begun.rfind (' ') : begun.npos;
  if (blank == begun.npos)
    return after (joined (before), begun);
  return going_on (after (begun.substr (0, blank), begun.substr (blank + 1)), "", begun.substr (0, blank + 1));
}

Types nodes_of (const Words &line)
{
  return read (joined (line)).nodes;
}

Words settings (const Types &nodes, const std::string &begun)
{
  const auto equals = begun.find ('=');
  const auto point = begun.substr (0, equals).rfind ('.');
  Words names;
  if (point == begun.npos) {
    for (const auto &[name, type] : nodes)
      names.push_back (name + ".");
    return going_on (names, begun);
  }
  const auto node = nodes.find (begun.substr (0, point));
  if (node == nodes.end ())
    return {};
  if (equals == begun.npos)
    return going_on (property_words (node->second, {}, begun.substr (point + 1)), "", begun.substr (0, point + 1));
  return going_on (values (node->second, begun.substr (point + 1, equals - point - 1), begun.substr (equals + 1)), "",
                   begun.substr (0, equals + 1));
}

} // namespace sino::cli
