// SPDX-License-Identifier: LGPL-3.0-or-later
// Rules for names of nodes.
#pragma once
#include <algorithm>
#include <glib.h>
#include <string>

namespace sino {

// Lower-case words joined by '-', so that files and launch lines can contain them.
inline bool is_node_name (const std::string &name)
{
  if (name.empty () || !g_ascii_islower (name.front ()) || name.back () == '-' || name.find ("--") != name.npos)
    return false;
  return std::ranges::all_of (name, [] (char c) { return g_ascii_islower (c) || g_ascii_isdigit (c) || c == '-'; });
}

} // namespace sino
