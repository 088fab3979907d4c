// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/modules.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SINO_MODULE_FOLDER
#error "SINO_MODULE_FOLDER: where modules are installed, from the folder of the library"
#endif

namespace sino {

// Found while the library loads, because its path may be relative to the folder that the process is in at that time.
// Never destroyed: threads that a run has left may ask for it while the process leaves.
static const std::filesystem::path &folder_of_library ()
{
  static const auto find = [] {
    Dl_info library{};
    std::error_code code;
    if (dladdr (reinterpret_cast<void *> (installed_path), &library) == 0)
      return std::filesystem::path ();
    return std::filesystem::canonical (library.dli_fname, code).parent_path ();
  };
  static const auto &folder = *new std::filesystem::path (find ());
  return folder;
}
[[maybe_unused]] static const auto &found_early = folder_of_library ();

std::string installed_path (const std::string &relative)
{
  return (folder_of_library () / relative).lexically_normal ();
}

std::vector<std::string> module_folders ()
{
  std::vector<std::string> folders;
  const char *path = g_getenv ("SINOGRAPH_PLUGIN_PATH");
  for (auto &folder : split (path ? path : "", ':'))
    if (!folder.empty ())
      folders.push_back (std::move (folder));
  if (folder_of_library ().is_absolute ())
    folders.push_back (installed_path (SINO_MODULE_FOLDER));
  return folders;
}

std::vector<std::string> module_files (const std::string &name)
{
  auto files = module_folders ();
  for (auto &file : files)
    file += "/" + name;
  std::erase_if (files, [] (const std::string &file) { return access (file.c_str (), F_OK) != 0; });
  return files;
}

std::string find_program (const std::string &name, const std::string &what, const std::string &first)
{
  auto folders = module_folders ();
  if (!first.empty ())
    folders.insert (folders.begin (), first);
  for (auto path : folders) {
    path += "/" + name;
    if (access (path.c_str (), X_OK) == 0)
      return path;
  }
  fail (SINO_ERROR_NOT_FOUND,
        "the program %s, %s, is missing: it is not in %s; install it in the folder of the modules, or add its folder "
        "to SINOGRAPH_PLUGIN_PATH",
        name.c_str (), what.c_str (), join (folders).c_str ());
}

static bool read_at (std::ifstream &file, uint64_t offset, void *to, size_t n)
{
  return file.seekg (static_cast<std::streamoff> (offset)) &&
         file.read (static_cast<char *> (to), static_cast<std::streamsize> (n));
}

// The format: "Tool Interface Standard, Executable and Linking Format", version 1.2.
std::string module_fault (const std::string &path)
{
  struct stat status {
  };
  if (stat (path.c_str (), &status) != 0 || !S_ISREG (status.st_mode))
    return "not a regular file";
  const auto size = static_cast<uint64_t> (status.st_size);
  std::ifstream file (path, std::ios::binary);
  ElfW (Ehdr) head;
  if (!read_at (file, 0, &head, sizeof head) || std::memcmp (head.e_ident, ELFMAG, SELFMAG) != 0)
    return {}; // not an ELF file at all: its mark is missing as well
  uint64_t end = 0;
  for (unsigned i = 0; i < head.e_phnum; i++) {
    ElfW (Phdr) part;
    if (!read_at (file, head.e_phoff + uint64_t{i} * head.e_phentsize, &part, sizeof part))
      return "truncated in its header";
    if (part.p_type == PT_LOAD)
      end = std::max<uint64_t> (end, part.p_offset + part.p_filesz);
  }
  if (end > size)
    return text ("truncated: its parts end at byte %" G_GUINT64_FORMAT ", the file has %" G_GUINT64_FORMAT, end, size);
  return {};
}

// Reads in pieces, because debug information makes modules large and the mark stands before it.
std::string module_mark (const std::string &path, const std::string &mark)
{
  constexpr size_t piece = 1 << 20, most_after = 80; // characters after the mark
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
      continue; // the next piece contains it, or the rest of it
    return bytes.substr (begin, std::min (bytes.find ('\n', begin), begin + most_after) - begin);
  }
  return {};
}

} // namespace sino
