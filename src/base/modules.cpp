// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/modules.hpp"
#include <algorithm>
#include <fstream>
#include <glib.h>
#include <iterator>

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

std::string module_mark (const std::string &path, const std::string &mark)
{
  std::ifstream file (path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char> (file), {}};
  const auto found = bytes.find (mark);
  if (found == std::string::npos)
    return {};
  const auto begin = found + mark.size ();
  return bytes.substr (begin, std::min (bytes.find ('\n', begin), begin + 16) - begin);
}

} // namespace sino
