// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/modules.hpp"
#include <algorithm>
#include <fstream>
#include <glib.h>

#ifndef SINO_MODULE_FOLDER
#error "SINO_MODULE_FOLDER: where modules are installed"
#endif

namespace sino {

std::vector<std::string> module_folders ()
{
  std::vector<std::string> folders;
  const char *path = g_getenv ("SINOGRAPH_PLUGIN_PATH");
  const std::string list = path ? path : "";
  for (size_t begin = 0; begin < list.size ();) {
    const auto end = std::min (list.find (':', begin), list.size ());
    if (end > begin)
      folders.push_back (list.substr (begin, end - begin));
    begin = end + 1;
  }
  folders.push_back (SINO_MODULE_FOLDER);
  return folders;
}

// In pieces, as debug information makes modules large and the mark stands before it.
std::string module_mark (const std::string &path, const std::string &mark)
{
  constexpr size_t piece = 1 << 20, most_after = 16; // characters after the mark
  std::ifstream file (path, std::ios::binary);
  std::string bytes;
  while (file) {
    const auto kept = std::min (bytes.size (), mark.size () + most_after);
    bytes.erase (0, bytes.size () - kept);
    bytes.resize (kept + piece);
    file.read (bytes.data () + kept, piece);
    bytes.resize (kept + static_cast<size_t> (file.gcount ()));
    const auto found = bytes.find (mark);
    const auto begin = found + mark.size ();
    if (found == std::string::npos || (file && begin + most_after > bytes.size ()))
      continue; // the next piece has it, or the rest of it
    return bytes.substr (begin, std::min (bytes.find ('\n', begin), begin + most_after) - begin);
  }
  return {};
}

} // namespace sino
