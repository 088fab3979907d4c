// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/shown.hpp"
#include <algorithm>
#include <cstdio>
#include <glib.h>

namespace sino {

static bool is_plain (char c)
{
  return g_ascii_isprint (c);
}

static std::string escape (const char *format, unsigned value)
{
  char word[16];
  snprintf (word, sizeof word, format, value);
  return word;
}

static std::string escaped (gunichar c)
{
  return c == '\n'   ? "\\n"
         : c == '\t' ? "\\t"
         : c == '\r' ? "\\r"
         : c < 0x80  ? escape ("\\x%02x", c)
                     : escape ("\\u%04x", c);
}

static bool is_visible (gunichar c)
{
  constexpr gunichar line_separator = 0x2028, paragraph_separator = 0x2029;
  return g_unichar_isprint (c) && c != line_separator && c != paragraph_separator;
}

std::string shown (std::string_view text, std::string_view kept)
{
  std::string out;
  while (!text.empty ()) {
    const auto end = std::find_if_not (text.begin (), text.end (), is_plain);
    out.append (text.begin (), end);
    text.remove_prefix (static_cast<size_t> (end - text.begin ()));
    if (text.empty ())
      break;
    // GLib takes a zero as the end of the text.
    const auto c = text[0] == '\0' ? 0 : g_utf8_get_char_validated (text.data (), static_cast<gssize> (text.size ()));
    const bool valid = c < gunichar{0x80000000};
    const auto length = valid ? static_cast<size_t> (g_unichar_to_utf8 (c, nullptr)) : 1;
    if (!valid) // a byte of an incomplete or invalid character
      out += escape ("\\x%02x", static_cast<unsigned char> (text[0]));
    else if (is_visible (c) || kept.find (text[0]) != kept.npos)
      out += text.substr (0, length);
    else
      out += escaped (c);
    text.remove_prefix (length);
  }
  return out;
}

std::string shown_lines (std::string_view text)
{
  return shown (text, "\n\t");
}

std::string in_quotes (std::string_view word)
{
  return "'" + shown (word) + "'";
}

} // namespace sino
