// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/paths.hpp"
#include "base/error.hpp"
#include "base/files/open-file.hpp"
#include "base/pointers.hpp"
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace sino {

std::string folder_of (const std::string &path)
{
  const auto slash = path.find_last_of ('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr (0, slash);
}

std::string file_name (const std::string &path)
{
  return path.substr (path.rfind ('/') + 1); // npos + 1 is 0
}

Names names_in (const std::string &folder)
{
  Names names;
  const std::unique_ptr<DIR, Deleter<closedir>> entries (opendir (folder.c_str ()));
  if (!entries) {
    names.error = errno;
    return names;
  }
  errno = 0;
  while (const auto *entry = readdir (entries.get ())) {
    if (const std::string_view name = entry->d_name; name != "." && name != "..")
      names.list.emplace_back (name);
    errno = 0;
  }
  names.error = errno;
  return names;
}

void sync_folder (const std::string &folder)
{
  const OpenFile file (open (folder.c_str (), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file < 0)
    return; // the folder may be writable but not readable
  if (fsync (file) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS)
    fail_file ("cannot write into", folder, errno);
}

void fail_file (const char *what, const std::string &path, int number)
{
  const auto code = number == ENOSPC || number == EDQUOT ? SINO_ERROR_NO_SPACE
                    : number == EEXIST                   ? SINO_ERROR_EXISTS
                                                         : SINO_ERROR_BAD_FILE;
  fail (code, "%s '%s': %s", what, path.c_str (), g_strerror (number));
}

int rename_new (const char *from, const char *to)
{
  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
  struct stat ignored; // without RENAME_NOREPLACE: checks first, then renames
  if (lstat (to, &ignored) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename (from, to);
}

// Needs only one descriptor at a time and throws no exception, because descriptors or memory may be short.
bool remove_tree (const std::string &path) noexcept
{
  constexpr auto remove_one = [] (const char *name, const struct stat *, int, struct FTW *) {
    ::remove (name);
    return 0; // continues with the other files
  };
  constexpr int descriptors = 1;
  nftw (path.c_str (), remove_one, descriptors, FTW_DEPTH | FTW_PHYS);
  struct stat status {
  };
  return lstat (path.c_str (), &status) != 0 && errno == ENOENT;
}

} // namespace sino
