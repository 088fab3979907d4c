// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/program-cache.hpp"
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

class Checksum
{
public:
  Checksum &add (const void *data, size_t size)
  {
    g_checksum_update (sum, static_cast<const guchar *> (data), static_cast<gssize> (size));
    return *this;
  }
  std::string word () const { return g_checksum_get_string (sum); }

  Checksum () = default;
  ~Checksum () { g_checksum_free (sum); }
  Checksum (const Checksum &) = delete;
  Checksum &operator= (const Checksum &) = delete;

private:
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
};

std::string head_of (const ProgramBinary &binary)
{
  return head + Checksum ().add (binary.data (), binary.size ()).word () + "\n";
}

} // namespace

std::string program_folder ()
{
  return text ("%s/sinograph/programs", g_get_user_cache_dir ());
}

std::string program_key (const std::vector<std::string> &parts)
{
  Checksum sum;
  for (const auto &part : parts)
    sum.add (part.c_str (), part.size () + 1); // includes the final zero, so that "a", "bc" differs from "ab", "c"
  return sum.word ();
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
    {
      std::ofstream file (part.path (), std::ios::binary);
      file << head_of (binary);
      file.write (reinterpret_cast<const char *> (binary.data ()), static_cast<std::streamsize> (binary.size ()));
      if (!file.flush ())
        return;
    }
    part.commit (true);
    bound_folder (program_folder (), most);
  } catch (const std::exception &error) {
    g_debug ("a program is not kept: %s", error.what ());
  }
}

} // namespace sino
