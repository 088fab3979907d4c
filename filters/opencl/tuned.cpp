// SPDX-License-Identifier: LGPL-3.0-or-later
#include "opencl/tuned.hpp"
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "device/program-cache.hpp"
#include <fstream>
#include <iterator>

namespace sino {

namespace {

std::string folder ()
{
  return text ("%s/sinograph/tuning", g_get_user_cache_dir ());
}

} // namespace

std::string tuned_path (const OpenclDevice &device, const std::vector<std::string> &kernels, const std::string &name)
{
  std::vector<std::string> parts{"tuning 2", device.identity ()};
  parts.insert (parts.end (), kernels.begin (), kernels.end ());
  return text ("%s/%s-%s.json", folder ().c_str (), program_key (parts).substr (0, 32).c_str (), name.c_str ());
}

std::string read_tuned (const std::string &path)
{
  std::ifstream file (path);
  return {std::istreambuf_iterator<char> (file), {}};
}

void keep_tuned (const std::string &path, const std::string &content)
{
  if (g_mkdir_with_parents (folder ().c_str (), 0700) != 0)
    fail_file ("cannot create", folder (), errno);
  Temporary part (path);
  std::ofstream file (part.path ());
  file << content;
  file.close ();
  if (!file)
    fail_file ("cannot write", path, errno);
  part.commit (true);
}

} // namespace sino
