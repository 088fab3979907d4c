// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/program-cache.hpp"
#include "base/temporary.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <glib.h>
#include <iterator>
#include <sys/stat.h>

namespace sino {

namespace {

// A file is this line with the binary's checksum, and the binary.
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

namespace {

// Those that were not used for longest go, until three quarters of the limit are left.
void bound_folder (size_t most)
{
  namespace fs = std::filesystem;
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    size_t bytes;
  };
  std::vector<Kept> files;
  size_t total = 0;
  std::error_code ignored; // others may remove files at the same time
  for (const auto &entry : fs::directory_iterator (program_folder (), ignored)) {
    const auto bytes = entry.file_size (ignored);
    if (ignored || !entry.is_regular_file (ignored))
      continue;
    files.push_back ({entry.path (), entry.last_write_time (ignored), static_cast<size_t> (bytes)});
    total += static_cast<size_t> (bytes);
  }
  if (total <= most)
    return;
  std::sort (files.begin (), files.end (), [] (const Kept &a, const Kept &b) { return a.used < b.used; });
  for (const auto &file : files) {
    if (total <= most / 4 * 3)
      return;
    fs::remove (file.path, ignored);
    total -= file.bytes;
  }
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
    sum.add (part.c_str (), part.size () + 1); // with the zero, so that "a", "bc" is not "ab", "c"
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
  utimensat (AT_FDCWD, (program_folder () + "/" + key).c_str (), nullptr, 0); // it was used now
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
    bound_folder (most);
  } catch (const std::exception &error) {
    g_debug ("a program is not kept: %s", error.what ());
  }
}

} // namespace sino
