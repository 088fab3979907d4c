// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/print.hpp"
#include "base/pointers.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <cstdio>
#include <string_view>

namespace sino::cli {

void print (const std::string &text)
{
  fputs (shown_lines (text).c_str (), stdout);
  fflush (stdout); // before later text on the standard error
}

void complain (const std::string &message)
{
  fprintf (stderr, "sinograph: %s\n", shown_lines (message).c_str ());
}

std::string columns_text (const std::vector<std::vector<std::string>> &rows)
{
  std::vector<size_t> widths;
  for (const auto &cells : rows)
    for (size_t i = 0; i < cells.size (); i++) {
      widths.resize (std::max (widths.size (), i + 1));
      widths[i] = std::max (widths[i], cells[i].size ());
    }
  std::string out;
  for (const auto &cells : rows) {
    std::string line = " ";
    for (size_t i = 0; i < cells.size (); i++)
      line += " " + cells[i] + std::string (widths[i] + 1 - cells[i].size (), ' ');
    out += line.substr (0, line.find_last_not_of (' ') + 1) + "\n";
  }
  return out;
}

std::string shell_word (const std::string &word)
{
  const bool plain = !word.empty () && std::ranges::all_of (word, [] (char c) {
    return g_ascii_isalnum (c) || std::string_view ("/._-+:,%=@").find (c) != std::string_view::npos;
  });
  return plain ? word : CharPtr (g_shell_quote (word.c_str ())).get ();
}

} // namespace sino::cli
