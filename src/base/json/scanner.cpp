// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/json/scanner.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include <algorithm>
#include <set>

namespace sino {

namespace {

// The tokens that are allowed next.
enum class Next { value, value_or_close, key, key_or_close, colon, comma_or_close, end };

struct Level {
  bool object;
  std::set<std::string_view> keys;
};

class Scanner
{
public:
  using Each = std::function<void (std::string_view element)>;

  Scanner (std::string_view j, const Each &e) : json (j), each (e) {}

  void scan ()
  {
    for (skip_space (); at < json.size (); skip_space ()) {
      const char c = json[at];
      if (c == '}' || c == ']')
        close (c == '}');
      else if (c == ',')
        mark (next == Next::comma_or_close, !levels.empty () && levels.back ().object ? Next::key : Next::value);
      else if (c == ':')
        mark (next == Next::colon, Next::value);
      else if (c == '"' && (next == Next::key || next == Next::key_or_close))
        key ();
      else
        value (c);
    }
    if (next != Next::end)
      refuse (at, text ("the file ends where %s is expected", wanted ()));
  }

private:
  [[noreturn]] void refuse (size_t where, const std::string &why) const
  {
    const auto before = json.substr (0, where);
    const auto line = std::ranges::count (before, '\n') + 1;
    const auto line_begin = before.rfind ('\n') + 1; // npos + 1 is 0
    fail (SINO_ERROR_BAD_GRAPH, "line %td, column %ld: %s", line,
          g_utf8_strlen (json.data () + line_begin, static_cast<gssize> (where - line_begin)) + 1, why.c_str ());
  }

  const char *wanted () const
  {
    static constexpr const char *names[] = {"a value",    "a value or ']'",     "a key", "a key or '}'", "':'",
                                            "',' or ']'", "the end of the file"};
    return next == Next::comma_or_close && levels.back ().object ? "',' or '}'" : names[static_cast<size_t> (next)];
  }

  void skip_space ()
  {
    while (at < json.size () && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r'))
      at++;
  }

  void mark (bool allowed, Next then)
  {
    if (!allowed)
      refuse (at, text ("'%c' where %s is expected", json[at], wanted ()));
    next = then;
    at++;
  }

  void value (char c)
  {
    if (next != Next::value && next != Next::value_or_close)
      refuse (at, text ("%s is expected", wanted ()));
    if (levels.size () == 1)
      element = at;
    if (c == '{' || c == '[') {
      if (levels.size () == max_json_depth)
        refuse (at, text ("nested deeper than %zu levels", max_json_depth));
      levels.push_back ({c == '{', {}});
      next = c == '{' ? Next::key_or_close : Next::value_or_close;
      at++;
      return;
    }
    if (c == '"')
      string ();
    else if (c == '-' || g_ascii_isdigit (c))
      number ();
    else
      word ();
    value_ends ();
  }

  void value_ends ()
  {
    next = levels.empty () ? Next::end : Next::comma_or_close;
    if (each && levels.size () == 1 && !levels[0].object)
      each (json.substr (element, at - element));
  }

  void close (bool object)
  {
    const bool allowed = next == Next::comma_or_close || next == (object ? Next::key_or_close : Next::value_or_close);
    mark (allowed && levels.back ().object == object, next);
    levels.pop_back ();
    value_ends ();
  }

  // Moves past a string; true when it has escapes.
  bool string ()
  {
    const auto begin = at++;
    bool escaped = false;
    for (; at < json.size () && json[at] != '"'; at++) {
      if (static_cast<unsigned char> (json[at]) < 0x20)
        refuse (at, "a control character in a string: write it as an escape");
      if (json[at] == '\\') {
        escape ();
        escaped = true;
      }
    }
    if (at >= json.size ())
      refuse (begin, "a string without an end");
    at++;
    return escaped;
  }

  // Moves to the last character of an escape.
  void escape ()
  {
    const auto begin = at++;
    const char kind = at < json.size () ? json[at] : '\0';
    if (kind != 'u') {
      if (std::string_view ("\"\\/bfnrt").find (kind) == std::string_view::npos)
        refuse (begin, "not an escape of JSON: write \\\\ for a backslash");
      return;
    }
    const auto half = code_unit (begin);
    if (half == 0)
      refuse (begin, "a string cannot contain the character 0");
    if (half < 0xd800 || half > 0xdfff)
      return;
    // Characters beyond 16 bits are two escapes, a high half and a low one.
    const bool pair = half < 0xdc00 && json.substr (at + 1, 2) == "\\u";
    at += pair ? 2 : 0;
    if (!pair || code_unit (begin) >> 10 != 0xdc00 >> 10)
      refuse (begin, "half of a character: \\ud800 to \\udbff and \\udc00 to \\udfff must come in pairs");
  }

  // The four digits after the 'u' that is here; moves to the last of them.
  unsigned code_unit (size_t begin)
  {
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
      if (++at >= json.size () || !g_ascii_isxdigit (json[at]))
        refuse (begin, "\\u wants four hexadecimal digits");
      value = value * 16 + static_cast<unsigned> (g_ascii_xdigit_value (json[at]));
    }
    return value;
  }

  void key ()
  {
    const auto begin = at;
    if (string ())
      refuse (begin, "an escape in a key");
    const auto name = json.substr (begin + 1, at - begin - 2);
    if (!levels.back ().keys.insert (name).second)
      refuse (begin, text ("the key '%s' occurs twice", std::string (name).c_str ()));
    next = Next::colon;
  }

  size_t digits ()
  {
    const auto begin = at;
    while (at < json.size () && g_ascii_isdigit (json[at]))
      at++;
    return at - begin;
  }

  void number ()
  {
    const auto begin = at;
    bool integer = true, good = true;
    at += json[at] == '-';
    const auto first = at;
    const auto whole = digits ();
    good = whole == 1 || (whole > 1 && json[first] != '0');
    if (at < json.size () && json[at] == '.') {
      at++;
      integer = false;
      good = digits () > 0 && good;
    }
    if (at < json.size () && (json[at] == 'e' || json[at] == 'E')) {
      at++;
      at += at < json.size () && (json[at] == '+' || json[at] == '-');
      integer = false;
      good = digits () > 0 && good;
    }
    int64_t value = 0;
    if (!good || (at < json.size () && (g_ascii_isalnum (json[at]) || json[at] == '.')))
      refuse (begin, "not a number of JSON");
    if (integer && !parse_integer (json.substr (begin, at - begin), value))
      refuse (begin, "an integer of more than 64 bits");
  }

  void word ()
  {
    const auto begin = at;
    while (at < json.size () && g_ascii_isalpha (json[at]))
      at++;
    const auto found = json.substr (begin, at - begin);
    if (found.empty ())
      refuse (begin, "a value is expected");
    if (found != "true" && found != "false" && found != "null")
      refuse (begin, text ("'%s' is not a word of JSON", std::string (found).c_str ()));
  }

  std::string_view json;
  const Each &each;           // called for each element, if the document is a list
  size_t at = 0, element = 0; // position of the scan, and begin of the current element of the outermost list
  Next next = Next::value;
  std::vector<Level> levels;
};

} // namespace

void scan_json (std::string_view json, const std::function<void (std::string_view)> &each)
{
  if (json.size () > max_json_bytes)
    fail (SINO_ERROR_BAD_GRAPH, "larger than %s", bytes_text (max_json_bytes).c_str ());
  if (const char *bad = nullptr; !g_utf8_validate (json.data (), static_cast<gssize> (json.size ()), &bad))
    fail (SINO_ERROR_BAD_GRAPH, "not UTF-8 at byte %td", bad - json.data ());
  Scanner (json, each).scan ();
}

std::string read_json (const char *what, const std::string &path)
{
  auto json = read_input (what, path, max_json_bytes);
  if (json.starts_with ("\xef\xbb\xbf")) // the mark that some editors put at the start
    json.erase (0, 3);
  return json;
}

} // namespace sino
