// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/program-cache.hpp"
#include "base/digest.hpp"
#include "base/files/cache-folder.hpp"
#include "base/files/temporary.hpp"
#include "base/text.hpp"
#include <exception>
#include <fstream>
#include <glib.h>
#include <iterator>

namespace sino {

namespace {

// A file consists of this line with the binary's checksum, and the binary.
constexpr char head[] = "sinograph-program 1 ";

std::string head_of (const ProgramBinary &binary)
{
  return head + sha256_of ({reinterpret_cast<const char *> (binary.data ()), binary.size ()}) + "\n";
}

} // namespace

std::string program_folder ()
{
  return text ("%s/sinograph/programs", g_get_user_cache_dir ());
}

std::string program_key (const std::vector<std::string> &parts)
{
  std::string all;
  for (const auto &part : parts)
    all.append (part.c_str (), part.size () + 1); // includes the final zero, so that "a", "bc" differs from "ab", "c"
  return sha256_of (all);
}

ProgramBinary load_program (const std::string &key)
{
  std::ifstream file (program_folder () + "/" + key, std::ios::binary);
  std::string line;
  if (!std::getline (file, line))
    return {};
  ProgramBinary binary{std::istreambuf_iterator<char> (file), {}};
  if (line + "\n" != head_of (binary))
    return {};
  mark_used (program_folder () + "/" + key);
  return binary;
}

void keep_program (const std::string &key, const ProgramBinary &binary, size_t most)
{
  if (binary.empty () || g_mkdir_with_parents (program_folder ().c_str (), 0700) != 0)
    return;
  try {
    Temporary part (program_folder () + "/" + key);
    part.write (head_of (binary).append (binary.begin (), binary.end ()));
    part.commit (true);
    bound_folder (program_folder (), most);
  } catch (const std::exception &error) {
    g_debug ("a program is not cached: %s", error.what ());
  }
}

} // namespace sino
