// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/kernels.hpp"
#include <fstream>
#include <glib.h>
#include <sstream>

namespace sino {

std::string kernel_source (const std::string &name, const char *built_in)
{
  if (const char *folder = g_getenv ("SINOGRAPH_KERNEL_PATH")) {
    std::ifstream file (std::string (folder) + "/" + name);
    std::ostringstream content;
    if (file && content << file.rdbuf ())
      return content.str ();
  }
  return built_in;
}

} // namespace sino
