// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/opencl/source.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <filesystem>
#include <fstream>
#include <glib.h>
#include <sstream>

namespace sino::opencl {

std::string kernel_file (const std::string &name)
{
  if (const char *folder = g_getenv ("SINOGRAPH_KERNEL_PATH")) {
    std::ifstream file (std::string (folder) + "/" + name);
    std::ostringstream text;
    if (file && text << file.rdbuf ())
      return text.str ();
  }
  for (size_t i = 0; i < opencl_file_count; i++)
    if (name == opencl_files[i].name)
      return opencl_files[i].text;
  fail (SINO_ERROR_NOT_FOUND, "there is no kernel source '%s'", name.c_str ());
}

std::string opencl_source (const std::string &name)
{
  const auto folder = name.substr (0, name.rfind ('/') + 1);
  constexpr std::string_view include = "#include \"";
  std::istringstream in (kernel_file (name));
  std::string out = text ("#line 1 \"%s\"\n", name.c_str ());
  int number = 1;
  for (std::string line; std::getline (in, line); number++) {
    if (!line.starts_with (include)) {
      out += line + "\n";
      continue;
    }
    const auto file = line.substr (include.size (), line.rfind ('"') - include.size ());
    out += opencl_source (std::filesystem::path (folder + file).lexically_normal ()) +
           text ("#line %d \"%s\"\n", number + 1, name.c_str ());
  }
  return out;
}

} // namespace sino::opencl
