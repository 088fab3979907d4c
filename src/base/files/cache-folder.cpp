// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/cache-folder.hpp"
#include "base/files/paths.hpp"
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <vector>

namespace sino {

void mark_used (const std::string &path) noexcept
{
  utimensat (AT_FDCWD, path.c_str (), nullptr, 0);
}

void bound_folder (const std::string &folder, size_t most, std::string_view staying)
{
  namespace fs = std::filesystem;
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    size_t bytes;
  };
  std::vector<Kept> files;
  size_t total = 0;
  std::error_code ignored; // other processes may remove files at the same time
  for (const auto &name : names_in (folder).list) {
    const auto path = fs::path (folder) / name;
    const auto bytes = fs::file_size (path, ignored);
    if (ignored || !fs::is_regular_file (path, ignored) || (!staying.empty () && path.extension () == staying))
      continue;
    files.push_back ({path, fs::last_write_time (path, ignored), static_cast<size_t> (bytes)});
    total += static_cast<size_t> (bytes);
  }
  if (total <= most)
    return;
  std::ranges::sort (files, [] (const Kept &a, const Kept &b) { return a.used < b.used; });
  for (const auto &file : files) {
    if (total <= most / 4 * 3)
      return;
    fs::remove (file.path, ignored);
    total -= file.bytes;
  }
}

} // namespace sino
