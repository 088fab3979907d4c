// SPDX-License-Identifier: LGPL-3.0-or-later
#include "graph/launch-words.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino {

namespace {

constexpr size_t max_line = 1 << 20;

class Cutter
{
public:
  explicit Cutter (const std::string &l) : line (l) {}

  std::vector<Token> cut ()
  {
    std::vector<Token> tokens;
    for (skip_space (); at < line.size (); skip_space ())
      tokens.push_back (next ());
    tokens.push_back ({Token::Kind::end, line.size (), line.size (), {}});
    return tokens;
  }

private:
  void skip_space ()
  {
    while (at < line.size () && g_ascii_isspace (line[at]))
      at++;
  }

  Token next ()
  {
    const auto mark = [this] (Token::Kind kind) {
      at++;
      return Token{.kind = kind, .begin = at - 1, .end = at};
    };
    switch (line[at]) {
    case '!':
      return mark (Token::Kind::link);
    case '[':
      brackets++;
      return mark (Token::Kind::open);
    case ',':
      if (brackets > 0)
        return mark (Token::Kind::comma);
      break;
    case ']':
      brackets = std::max (brackets - 1, 0);
      return mark (Token::Kind::close);
    }
    return word ();
  }

  // Whether the unquoted character ends the word before it.
  bool ends_word (char c, const Token &token, int inner) const
  {
    return g_ascii_isspace (c) || (c == '!' && token.assign == std::string::npos) ||
           (brackets > 0 && inner == 0 && (c == ',' || c == ']'));
  }

  Token word ()
  {
    Token token{.kind = Token::Kind::word, .begin = at, .end = at};
    int inner = 0; // brackets within the word, as in path=img[0-9].tif
    while (at < line.size () && !ends_word (line[at], token, inner)) {
      const char c = line[at++];
      if (c == '\'' || c == '"')
        quoted (c, token.text);
      else if (c == '\\') {
        if (at == line.size ())
          fail_at (line, at - 1, at, SINO_ERROR_BAD_GRAPH, "a backslash at the end");
        token.text += line[at++];
      } else {
        if (c == '=' && token.assign == std::string::npos)
          token.assign = token.text.size ();
        inner += c == '[' ? 1 : c == ']' && inner > 0 ? -1 : 0;
        token.text += c;
      }
    }
    token.end = at;
    return token;
  }

  void quoted (char quote, std::string &text)
  {
    const auto begin = at - 1;
    while (at < line.size () && line[at] != quote) {
      const bool escape =
          quote == '"' && line[at] == '\\' && at + 1 < line.size () && (line[at + 1] == '"' || line[at + 1] == '\\');
      at += escape;
      text += line[at++];
    }
    if (at == line.size ())
      fail_at (line, begin, at, SINO_ERROR_BAD_GRAPH, sino::text ("the quote %c is not closed", quote));
    at++;
  }

  const std::string &line;
  size_t at = 0;
  int brackets = 0;
};

// Number of UTF-8 characters.
size_t characters (const std::string &s, size_t begin, size_t end)
{
  return static_cast<size_t> (std::count_if (s.begin () + static_cast<ptrdiff_t> (begin),
                                             s.begin () + static_cast<ptrdiff_t> (end),
                                             [] (char c) { return (c & 0xc0) != 0x80; }));
}

} // namespace

std::vector<Token> cut (const std::string &line)
{
  if (line.size () > max_line)
    fail (SINO_ERROR_BAD_GRAPH, "the launch line is longer than %s", bytes_text (max_line).c_str ());
  if (line.find ('\0') != line.npos)
    fail (SINO_ERROR_BAD_GRAPH, "the launch line contains the character 0");
  return Cutter (line).cut ();
}

std::string placed (const std::string &line, size_t begin, size_t end, const std::string &why)
{
  // Shows the part of the line around the place that fits a terminal.
  constexpr size_t before = 60, width = 76;
  auto first = line.rfind ('\n', begin == 0 ? 0 : begin - 1);
  first = first == line.npos || first >= begin ? 0 : first + 1;
  if (begin - first > before)
    first = begin - before;
  while (first < begin && (line[first] & 0xc0) == 0x80)
    first++;
  auto last = std::min (line.find ('\n', begin), line.size ());
  last = std::min (last, first + width);
  while (last < line.size () && last > begin && (line[last] & 0xc0) == 0x80)
    last--;
  std::string shown = line.substr (first, last - first);
  std::replace_if (
      shown.begin (), shown.end (), [] (char c) { return g_ascii_iscntrl (c); }, ' ');
  const auto indent = characters (line, first, begin);
  const auto length = std::max<size_t> (characters (line, begin, std::clamp (end, begin, last)), 1);
  return text ("column %zu: %s\n  %s\n  %s^%s", characters (line, 0, begin) + 1, why.c_str (), shown.c_str (),
               std::string (indent, ' ').c_str (), std::string (length - 1, '~').c_str ());
}

void fail_at (const std::string &line, size_t begin, size_t end, int code, const std::string &why)
{
  throw Error (static_cast<SinoError> (code), placed (line, begin, end, why));
}

std::string launch_word (const std::string &word)
{
  const bool plain = !word.empty () && std::ranges::all_of (word, [] (char c) {
    return g_ascii_isalnum (c) || strchr ("/._-+:%=", c) != nullptr || static_cast<unsigned char> (c) >= 0x80;
  });
  return plain ? word : in_double_quotes (word);
}

std::string join_arguments (std::span<const char *const> arguments)
{
  if (arguments.size () == 1)
    return arguments[0];
  std::string line;
  for (const std::string word : arguments) {
    line += line.empty () ? "" : " ";
    for (const char c : word) {
      if (g_ascii_isspace (c) || c == '\'' || c == '"' || c == '\\')
        line += '\\';
      line += c;
    }
  }
  return line;
}

} // namespace sino
