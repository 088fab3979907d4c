// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include "base/named-error.hpp"
#include "base/shown.hpp"
#include "graph/json-reader.hpp"
#include "graph/launch-words.hpp"
#include "graph/launch.hpp"
#include "graph/values.hpp"
#include "ufo/ufo.hpp"
#include <json-glib/json-glib.h>
#include <optional>

namespace sino::ufo {

namespace {

// Thrown if a text is no graph of UFO. It has no message, because Sinograph's own parser then reports the mistakes.
struct NoGraph {
};

class Line
{
public:
  explicit Line (const std::string &line) : tokens (cut (line)) {}

  Graph parse ()
  {
    chain ();
    if (peek ().kind != Token::Kind::end)
      throw NoGraph{};
    return std::move (graph);
  }

private:
  const Token &peek () const { return tokens[at]; }

  std::vector<size_t> chain ()
  {
    std::vector<size_t> ends;
    if (peek ().kind == Token::Kind::open) {
      do {
        at++;
        const auto branch = chain ();
        ends.insert (ends.end (), branch.begin (), branch.end ());
      } while (peek ().kind == Token::Kind::comma);
      if (peek ().kind != Token::Kind::close)
        throw NoGraph{};
      at++;
    } else
      ends = {node ()};
    while (peek ().kind == Token::Kind::link) {
      at++;
      const auto to = node ();
      for (size_t input = 0; input < ends.size (); input++)
        graph.edges.push_back ({ends[input], to, input});
      ends = {to};
    }
    return ends;
  }

  size_t node ()
  {
    if (peek ().kind != Token::Kind::word || peek ().assign != std::string::npos)
      throw NoGraph{};
    graph.nodes.push_back ({tokens[at++].text, {}, {}});
    for (; peek ().kind == Token::Kind::word && peek ().assign != std::string::npos; at++)
      if (const auto &word = peek ();
          !graph.nodes.back ()
               .given.insert ({word.text.substr (0, word.assign), word.text.substr (word.assign + 1)})
               .second)
        throw NoGraph{};
    return graph.nodes.size () - 1;
  }

  std::vector<Token> tokens;
  size_t at = 0;
  Graph graph;
};

std::string word (const JsonCursor &value)
{
  const auto found = literal (value.node);
  if (found.kind == Literal::Kind::other)
    value.refuse ("the value must be a number, a string, true or false");
  return found.word;
}

Graph read (const JsonCursor &root)
{
  const auto found = root.object ({"nodes", "edges", "prop-sets", "version", "index", "total"}, {"nodes", "edges"});
  Graph graph;
  std::map<std::string, size_t> places;
  for (const auto &place : found.at ("nodes").elements ()) {
    const auto members = place.object ({"plugin", "name", "properties", "package"}, {"plugin", "name"});
    Node node{members.at ("plugin").string (), members.at ("name").string (), {}};
    if (const auto properties = members.find ("properties"); properties != members.end ())
      for (const auto &[key, value] : properties->second.members ())
        if (!JSON_NODE_HOLDS_NULL (value.node))
          node.given.insert ({key, word (value)});
    if (!places.insert ({node.name, graph.nodes.size ()}).second)
      place.refuse (text ("a second node '%s'", node.name.c_str ()));
    graph.nodes.push_back (node);
  }
  const auto end = [&] (const JsonCursor &place) {
    const auto at = places.find (place.string ());
    if (at == places.end ())
      place.refuse (text ("no node '%s'", place.string ().c_str ()));
    return at->second;
  };
  for (const auto &edge : found.at ("edges").elements ()) {
    const auto members = edge.object ({"from", "to"}, {"from", "to"});
    const auto from = members.at ("from").object ({"name", "output"}, {"name"});
    const auto to = members.at ("to").object ({"name", "input"}, {"name"});
    const auto input = to.find ("input");
    graph.edges.push_back ({end (from.at ("name")), end (to.at ("name")),
                            input == to.end () ? 0 : static_cast<size_t> (input->second.integer (G_MAXINT))});
  }
  return graph;
}

// The translated graph; none if the text is no graph of UFO. Sinograph's own parser then reads it and reports mistakes.
template <class Parse> std::optional<sino::Graph> if_ufo (Parse parse)
{
  Graph graph;
  try {
    graph = parse ();
  } catch (const NoGraph &) {
    return {};
  } catch (const Error &) {
    return {};
  }
  if (!is_ufo (graph))
    return {};
  return translate (std::move (graph));
}

} // namespace

sino::Graph parse_line (const std::string &line)
{
  auto graph = if_ufo ([&] { return Line (line).parse (); });
  return graph ? std::move (*graph) : parse_launch (line);
}

sino::Graph parse_text (const std::string &json)
{
  scan_json (json);
  auto graph = if_ufo ([&] { return read (JsonDocument (json).root ()); });
  return graph ? std::move (*graph) : parse_json (json);
}

sino::Graph load_file (const std::string &path)
{
  return parse_file (path, read_json ("graph", path));
}

sino::Graph parse_file (const std::string &path, const std::string &json)
{
  try {
    return parse_text (json);
  } catch (const Error &e) {
    throw_again (e, in_quotes (path) + ": " + e.what ());
  }
}

} // namespace sino::ufo
