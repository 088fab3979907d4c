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
  fflush (stdout); // before what goes to the standard error
}

void complain (const std::string &message)
{
  fprintf (stderr, "sinograph: %s\n", shown_lines (message).c_str ());
}

std::string shell_word (const std::string &word)
{
  const bool plain = !word.empty () && std::ranges::all_of (word, [] (char c) {
    return g_ascii_isalnum (c) || std::string_view ("/._-+:,%=@").find (c) != std::string_view::npos;
  });
  return plain ? word : CharPtr (g_shell_quote (word.c_str ())).get ();
}

} // namespace sino::cli
