// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/launch.hpp"
#include "base/error.hpp"
#include "base/named-error.hpp"
#include "glue/registry.hpp"
#include "graph/launch-words.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include <algorithm>
#include <functional>

namespace sino {

namespace {

constexpr int max_depth = 64;

// An end of a link: a node of this line, or a name and perhaps an input, which are looked up when all nodes are known.
struct End {
  const Token *token;
  size_t node = 0;
  std::string name = {}, input = {}; // set for 'name.input'
};

struct Link {
  End from, to;
  size_t place; // index among the branches that feed `to`
};

class Parser
{
public:
  explicit Parser (const std::string &l) : line (l), tokens (cut (line)) {}

  Graph parse ()
  {
    if (peek ().kind == Token::Kind::end)
      refuse (peek (), "the launch line is empty");
    while (peek ().kind != Token::Kind::end) {
      const auto links_before = links.size ();
      const auto ends = chain (0);
      if (links.size () == links_before && !ends.front ().name.empty ())
        refuse (*ends.front ().token, "'!' is expected after a node's name");
      if (peek ().kind == Token::Kind::close || peek ().kind == Token::Kind::comma)
        refuse (peek (), text ("'%c' without '[' before it", line[peek ().begin]));
    }
    // Connects links with explicit inputs before those whose input is chosen here.
    for (const auto &link : links)
      if (link.to.name.empty () || !link.to.input.empty ())
        connect (link);
    for (const auto &link : links)
      if (!link.to.name.empty () && link.to.input.empty ())
        connect (link);
    return std::move (graph);
  }

private:
  const Token &peek () const { return tokens[at]; }
  const Token &take () { return tokens[at++]; }
  bool skip (Token::Kind kind)
  {
    at += peek ().kind == kind;
    return tokens[at - 1].kind == kind;
  }

  [[noreturn]] void refuse (const Token &token, const std::string &why, int code = SINO_ERROR_BAD_GRAPH) const
  {
    fail_at (line, token.begin, token.end, code, why);
  }

  // Runs `body`; errors point at the token.
  void guard (const Token &token, const std::function<void ()> &body) const
  {
    try {
      body ();
    } catch (const Error &e) {
      throw_again (e, placed (line, token.begin, token.end, e.what ()));
    }
  }

  // Parses elements joined by '!'. Returns the outputs at the end of the chain.
  std::vector<End> chain (int depth)
  {
    auto ends = element (depth);
    while (peek ().kind == Token::Kind::link) {
      const auto &mark = take ();
      if (peek ().kind == Token::Kind::open)
        refuse (peek (), "'[...]' collects streams for what follows it: it cannot come after '!'");
      if (peek ().kind != Token::Kind::word)
        refuse (mark, "'!' wants a node after it");
      const auto to = element (depth).front ();
      for (size_t place = 0; place < ends.size (); place++)
        links.push_back ({ends[place], to, place});
      ends = {to};
      ends.front ().input.clear (); // the input applied only to the link into it
    }
    return ends;
  }

  std::vector<End> element (int depth)
  {
    if (peek ().kind == Token::Kind::open)
      return branches (depth);
    if (peek ().kind != Token::Kind::word)
      refuse (peek (), "a node is expected here");
    const auto &token = take ();
    if (token.assign != token.text.npos)
      refuse (token, text ("a node is expected here, not the property '%s'", token.text.c_str ()));
    if (const auto dot = token.text.rfind ('.'); dot != token.text.npos && dot > 0)
      return {{.token = &token, .node = 0, .name = token.text.substr (0, dot), .input = token.text.substr (dot + 1)}};
    return {node (token)};
  }

  std::vector<End> branches (int depth)
  {
    const auto &open = take ();
    if (depth == max_depth)
      refuse (open, text ("brackets nested deeper than %d levels", max_depth));
    std::vector<End> ends;
    do {
      const auto &first = peek ();
      const auto branch = chain (depth + 1);
      if (branch.size () > 1)
        refuse (first, "'[...]' wants '!' and a node after it");
      ends.push_back (branch.front ());
    } while (skip (Token::Kind::comma));
    if (peek ().kind == Token::Kind::end)
      refuse (open, "the bracket '[' is not closed");
    if (peek ().kind != Token::Kind::close)
      refuse (peek (), "',' is expected between the branches of a bracket");
    const auto &close = take ();
    if (peek ().kind != Token::Kind::link)
      refuse (close, "'[...]' wants '!' and a node after it");
    return ends;
  }

  End node (const Token &token)
  {
    GType type = 0;
    guard (token, [&] { type = Registry::get ().find (token.text); });
    const auto specs = list_properties (type);
    const bool own_name = std::ranges::any_of (specs, [] (auto *s) { return std::string_view (s->name) == "name"; });
    std::vector<const Token *> properties;
    const Token *name = nullptr;
    while (peek ().kind == Token::Kind::word && peek ().assign != std::string::npos) {
      const auto &word = take ();
      if (own_name || key (word) != "name")
        properties.push_back (&word);
      else if (name)
        refuse (word, "a second name");
      else if (value (word).empty ())
        refuse (word, "an empty name");
      else
        name = &word;
    }
    size_t index = 0;
    guard (name ? *name : token, [&] { index = graph.add (token.text, name ? value (*name) : ""); });
    PropertySetter setter (graph.nodes ()[index]);
    for (const auto *word : properties)
      guard (*word, [&] { setter.set (key (*word), value (*word)); });
    return {&token, index};
  }

  static std::string key (const Token &word) { return word.text.substr (0, word.assign); }
  static std::string value (const Token &word) { return word.text.substr (word.assign + 1); }

  size_t find (const End &end) const
  {
    size_t index = end.node;
    if (!end.name.empty ())
      guard (*end.token, [&] { index = graph.find (end.name); });
    return index;
  }

  void connect (const Link &link)
  {
    const auto from = find (link.from), to = find (link.to);
    if (!link.from.input.empty ())
      refuse (*link.from.token, text ("a node has one output: write '%s.' without '%s'", link.from.name.c_str (),
                                      link.from.input.c_str ()));
    guard (*link.to.token, [&] { graph.connect (from, to, input (link, to)); });
  }

  size_t input (const Link &link, size_t to) const
  {
    const auto &wanted = link.to.input;
    if (link.to.name.empty ())
      return link.place;
    const auto ports = input_ports (graph.nodes ()[to]);
    if (wanted.empty ()) {
      size_t free = 0;
      for (const auto &edges = graph.edges ();
           std::ranges::any_of (edges, [&] (const Edge &e) { return e.to == to && e.input == free; });)
        free++;
      if (free == ports.size () && free > 0)
        fail (SINO_ERROR_BAD_GRAPH, "all inputs of %s are connected", title (graph.nodes ()[to]).c_str ());
      return free;
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < ports.size (); i++) {
      if (wanted == ports[i].name)
        return i + link.place;
      names.push_back (ports[i].name);
    }
    if (int64_t number = 0; parse_integer (wanted, number) && number >= 0)
      return static_cast<size_t> (number) + link.place;
    fail (SINO_ERROR_BAD_GRAPH, "%s has no input '%s'%s", title (graph.nodes ()[to]).c_str (), wanted.c_str (),
          did_you_mean (wanted, names, ": ").c_str ());
  }

  std::string line;
  std::vector<Token> tokens;
  size_t at = 0;
  Graph graph;
  std::vector<Link> links;
};

} // namespace

Graph parse_launch (const std::string &line)
{
  return Parser (line).parse ();
}

} // namespace sino
