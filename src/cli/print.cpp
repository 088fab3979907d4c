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

} // namespace sino::cli
