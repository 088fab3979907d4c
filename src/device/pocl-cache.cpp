// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/pocl-cache.hpp"
#include "base/files/paths.hpp"
#include "base/modules.hpp"
#include "base/text.hpp"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace sino {

namespace {

namespace fs = std::filesystem;

fs::path cache_folder ()
{
  if (const char *folder = g_getenv ("POCL_CACHE_DIR"))
    return folder;
  return fs::path (g_get_user_cache_dir ()) / "pocl" / "kcache";
}

// Whether the outermost blocks of LLVM bitcode fill the file ("LLVM Bitcode File Format", section on blocks). Such a
// block begins with two bits that mark it, its number in one byte, the width of abbreviation numbers in four bits,
// zeros up to a word, and its length in words.
bool is_whole_bitcode (const fs::path &path)
{
  std::error_code failed;
  const auto size = fs::file_size (path, failed);
  std::ifstream file (path, std::ios::binary);
  char magic[4];
  if (failed || !file.read (magic, 4) || std::memcmp (magic, "BC\xc0\xde", 4) != 0)
    return false;
  uint64_t at = 4;
  while (at < size) {
    uint32_t head[2]; // little-endian, like all machines that PoCL compiles for here
    if (!file.seekg (static_cast<std::streamoff> (at)) || !file.read (reinterpret_cast<char *> (head), sizeof head))
      return false;
    at += sizeof head + uint64_t{head[1]} * 4;
  }
  return at == size;
}

bool is_whole (const fs::path &program)
{
  std::error_code ignored;
  for (const auto &name : names_in (program).list) {
    const auto path = program / name;
    if (path.extension () == ".bc" && !is_whole_bitcode (path))
      return false;
    if (path.extension () == ".so" && (fs::file_size (path, ignored) == 0 || !module_fault (path.string ()).empty ()))
      return false;
    if (fs::is_directory (fs::symlink_status (path, ignored)) && !is_whole (path))
      return false;
  }
  return true;
}

} // namespace

// The cache has folders of two letters with a folder for each program. Folders that cannot be read, or are removed
// meanwhile, are skipped.
void mend_pocl_cache ()
{
  std::vector<fs::path> damaged;
  const auto folder = cache_folder ();
  for (const auto &letters : names_in (folder).list)
    for (const auto &program : names_in (folder / letters).list)
      if (const auto path = folder / letters / program; !is_whole (path))
        damaged.push_back (path);
  std::error_code ignored;
  for (const auto &program : damaged)
    fs::remove_all (program, ignored);
}

} // namespace sino
