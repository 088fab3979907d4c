// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/temporary.hpp"
#include "base/error.hpp"
#include "base/monitor.hpp"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace sino {

namespace {

// The files that are not committed, and folders. Never destroyed: threads may still write when the process leaves.
struct Pending {
  std::timed_mutex mutex;
  std::set<std::string> paths, folders;
  bool closed = false;
  int made = 0;
};

Pending &pending ()
{
  static auto *p = new Pending;
  return *p;
}

int create (const std::string &path)
{
  return open (path.c_str (), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

// Renames, and fails with EEXIST rather than replace a file.
int rename_new (const char *from, const char *to)
{
  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
  struct stat ignored; // a file system that cannot do it in one step
  if (lstat (to, &ignored) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename (from, to);
}

void remove_folder (const std::string &path) noexcept
{
  std::error_code ignored;
  std::filesystem::remove_all (path, ignored);
}

} // namespace

void fail_file (const char *what, const std::string &path, int number)
{
  const auto code = number == ENOSPC || number == EDQUOT ? SINO_ERROR_NO_SPACE
                    : number == EEXIST                   ? SINO_ERROR_EXISTS
                                                         : SINO_ERROR_BAD_FILE;
  fail (code, "%s '%s': %s", what, path.c_str (), g_strerror (number));
}

Temporary::Temporary (std::string final_path) : final_path_ (std::move (final_path))
{
  auto &p = pending ();
  const std::lock_guard guard (p.mutex);
  if (p.closed)
    throw Cancelled ();
  int file = -1;
  do {
    path_ = text ("%s.%d-%d.part", final_path_.c_str (), static_cast<int> (getpid ()), p.made++);
    file = create (path_);
  } while (file < 0 && errno == EEXIST); // left by a process that was killed and had the same number
  if (file < 0)
    fail_file ("cannot create", final_path_, errno);
  close (file);
  p.paths.insert (path_);
}

Temporary::~Temporary ()
{
  auto &p = pending ();
  const std::lock_guard guard (p.mutex);
  if (committed || p.closed)
    return;
  unlink (path_.c_str ());
  p.paths.erase (path_);
}

void Temporary::commit (bool overwrite)
{
  // Outside the lock: this may take long.
  const int file = open (path_.c_str (), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    fail_file ("cannot open", path_, errno);
  const int synced = fsync (file), why = errno;
  close (file);
  if (synced != 0)
    fail_file ("cannot write", final_path_, why);

  auto &p = pending ();
  const std::lock_guard guard (p.mutex);
  if (p.closed)
    throw Cancelled ();
  const int renamed =
      overwrite ? rename (path_.c_str (), final_path_.c_str ()) : rename_new (path_.c_str (), final_path_.c_str ());
  if (renamed != 0 && errno == EEXIST)
    fail (SINO_ERROR_EXISTS, "'%s' exists: set overwrite=true to replace it", final_path_.c_str ());
  if (renamed != 0)
    fail_file ("cannot write", final_path_, errno);
  p.paths.erase (path_);
  committed = true;
}

void Temporary::remove_all () noexcept
{
  auto &p = pending ();
  if (!p.mutex.try_lock_for (std::chrono::milliseconds (200)))
    return; // a file system that hangs: leaving in time matters more
  p.closed = true;
  // More than once: a library that was about to open its file makes it again.
  for (int i = 0; i < 4 && !(p.paths.empty () && p.folders.empty ()); i++) {
    if (i > 0)
      std::this_thread::sleep_for (std::chrono::milliseconds (15));
    for (const auto &path : p.paths)
      unlink (path.c_str ());
    for (const auto &path : p.folders)
      remove_folder (path);
  }
  p.paths.clear ();
  p.folders.clear ();
  p.mutex.unlock ();
}

TemporaryFolder::TemporaryFolder (const std::string &parent) : path_ (parent + "/sinograph-XXXXXX")
{
  auto &p = pending ();
  const std::lock_guard guard (p.mutex);
  if (p.closed)
    throw Cancelled ();
  if (!g_mkdtemp (path_.data ()))
    fail_file ("cannot create a folder in", parent, errno);
  p.folders.insert (path_);
}

TemporaryFolder::~TemporaryFolder ()
{
  auto &p = pending ();
  const std::lock_guard guard (p.mutex);
  if (p.folders.erase (path_) > 0)
    remove_folder (path_);
}

} // namespace sino
